import type { Tx } from "../kv/store.ts";
import { writeCheckout } from "../payments/checkout.ts";
import { queueOperation } from "../payments/operations.ts";
import { comingPeriods, UPCOMING_SHOWN } from "./calendar.ts";
import { auctionKeys } from "./keys.ts";
import { releaseOf } from "./operations.ts";
import type { BidCheckout, StoredAuction, StoredEntry } from "./schema.ts";
import { readBid } from "./settle.ts";
import { statusOf } from "./status.ts";

/**
 * Ends a listing's lead in the transaction that withdraws it: queues the release of its hold and
 * restarts bidding from the beginning. The history keeps the bid. A bid that has won stays won.
 */
export async function withdrawBid(tx: Tx, slug: string): Promise<void> {
  const now = tx.store.clock.now();
  const coming = comingPeriods(now, UPCOMING_SHOWN + 1);
  const auctions = await tx.store.getMany<StoredAuction>(
    coming.map(({ id }) => auctionKeys.one(id)),
  );
  // Only the first takes bids, so only there can the listing take the lead before the commit.
  tx.check(auctions[0]!);
  for (const [i, read] of auctions.entries()) {
    const { key, value: auction } = read;
    // An auction that has a bid but is not open yet was open before the clock was set back.
    if (auction?.high?.slug !== slug || statusOf(coming[i]!, auction, now) === "past") continue;
    const { high } = auction;
    tx.check(read);
    tx.set(key, { ...auction, high: null } satisfies StoredAuction);
    const entry = await tx.peek<StoredEntry>(auctionKeys.entry(auction.id, auction.bids));
    tx.set(entry.key, { ...entry.value!, withdrawn: true } satisfies StoredEntry);
    const bid = await readBid(tx, high.bidId);
    if (bid !== null) writeCheckout<BidCheckout>(tx, { ...bid, state: "withdrawn" });
    await queueOperation(tx, releaseOf(high));
  }
}
