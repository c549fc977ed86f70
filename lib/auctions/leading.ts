import { listIds } from "../kv/ranges.ts";
import type { Store } from "../kv/store.ts";
import { paymentKeys } from "../payments/keys.ts";
import type { BidCheckout } from "../payments/schema.ts";
import { auctionKeys } from "./keys.ts";
import type { StoredAuction } from "./schema.ts";

/** An auction without an outcome, and the bid that leads it. */
export interface Leading {
  auction: StoredAuction & { high: NonNullable<StoredAuction["high"]> };
  bid: BidCheckout | null;
}

/** Reads the bids that lead now. */
export async function listLeading(store: Store): Promise<Leading[]> {
  const ids = await listIds(store, auctionKeys.allUnsettled);
  const auctions = await store.getMany<StoredAuction>(ids.map((id) => auctionKeys.one(id)));
  const led = auctions.flatMap(({ value }) => value?.high ? [{ ...value, high: value.high }] : []);
  const bids = await store.getMany<BidCheckout>(
    led.map(({ high }) => paymentKeys.checkout(high.bidId)),
  );
  return led.map((auction, i) => ({ auction, bid: bids[i]!.value }));
}
