import { listIds } from "../kv/ranges.ts";
import type { PaymentDeps } from "../payments/context.ts";
import { paymentKeys } from "../payments/keys.ts";
import type { BidCheckout, OperationTask } from "../payments/schema.ts";
import { auctionKeys } from "./keys.ts";
import type { StoredAuction } from "./schema.ts";
import { isOutrun } from "./status.ts";

/**
 * The tasks that expire an auction's open links: those below the minimum bid, or all once it has
 * closed.
 */
export async function bidsToSweep(
  deps: PaymentDeps,
  auctionId: string,
): Promise<OperationTask[]> {
  const { value: auction } = await deps.store.get<StoredAuction>(auctionKeys.one(auctionId));
  const ids = await listIds(deps.store, auctionKeys.pendingBids(auctionId));
  const bids = await deps.store.getMany<BidCheckout>(ids.map((id) => paymentKeys.checkout(id)));
  const tasks: OperationTask[] = [];
  for (const { value: bid } of bids) {
    if (bid === null || bid.status !== "open" || bid.sessionId === null) continue;
    if (!isOutrun(auction, bid.amountCents)) continue;
    tasks.push({ kind: "expire_session", sessionId: bid.sessionId, checkoutId: bid.id });
  }
  return tasks;
}
