import { listIds } from "../kv/ranges.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";
import { runOperations } from "../payments/operation_runner.ts";
import { queueOperation } from "../payments/operations.ts";
import { expireUselessLinks } from "../payments/reconcile.ts";
import { auctionDates, storedAuctionDates } from "./calendar.ts";
import { auctionKeys } from "./keys.ts";
import { captureOf } from "./operations.ts";
import type { StoredAuction } from "./schema.ts";
import { newAuction, writeOutcome } from "./settle.ts";
import { closeOf } from "./status.ts";

/**
 * Closes an auction that is due: no more bids are accepted, the winner's hold is captured, and open
 * links are expired. Does nothing before the close, and nothing new when repeated.
 */
export async function closeAuction(deps: PaymentDeps, auctionId: string): Promise<void> {
  const operations = await deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const dates = auctionDates(auctionId, now);
    if (dates === null) return [];
    const { value } = await tx.get<StoredAuction>(auctionKeys.one(auctionId));
    if (now < closeOf(dates, value)) return [];
    const auction = value ?? newAuction(dates);
    const closed = { ...auction, closedAt: auction.closedAt ?? now };
    if (closed.outcome !== null) {
      // Requesting a link during the close sets this key again.
      tx.delete(auctionKeys.unsettled(auctionId));
      return [];
    }
    if (closed.high === null) {
      writeOutcome(tx, { ...closed, outcome: "no-bids" });
      return [];
    }
    tx.set(auctionKeys.one(auctionId), closed);
    const capture = await queueOperation(tx, captureOf(auctionId, closed.high));
    // Already closed: the outbox decides when, and whether, to retry the capture.
    return auction.closedAt === null ? [capture] : [];
  }, { queue: `auction:${auctionId}` });
  await runOperations(deps, operations);
  await expireUselessLinks(deps);
}

/**
 * Closes every due auction that had bid links. Returns when (ms) the next one closes; Infinity if
 * there is none.
 */
export async function closeDueAuctions(deps: PaymentDeps): Promise<number> {
  const ids = await listIds(deps.store, auctionKeys.allUnsettled);
  const auctions = await deps.store.getMany<StoredAuction>(ids.map((id) => auctionKeys.one(id)));
  const closes = ids.map((id, i) => closeOf(storedAuctionDates(id), auctions[i]!.value));
  for (const [i, id] of ids.entries()) {
    if (closes[i]! <= deps.clock.now()) await closeAuction(deps, id);
  }
  return Math.min(...closes);
}
