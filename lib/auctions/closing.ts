import { listIds } from "../kv/ranges.ts";
import type { PaymentDeps } from "../payments/context.ts";
import { runOperations } from "../payments/operation_runner.ts";
import { queueOperation } from "../payments/operations.ts";
import { auctionDates } from "./calendar.ts";
import { auctionKeys } from "./keys.ts";
import type { StoredAuction } from "./schema.ts";
import { newAuction, writeOutcome } from "./settle.ts";
import { closeOf } from "./status.ts";

/**
 * Closes an auction whose time has come: no further bid is accepted, the winner's hold is captured,
 * and open links are expired. Does nothing before the close, and nothing new when called again.
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
    const sweep = await queueOperation(tx, { kind: "sweep_bids", auctionId }, now);
    if (closed.high === null || closed.outcome !== null) {
      writeOutcome(tx, { ...closed, outcome: closed.outcome ?? "no-bids" });
      return [sweep];
    }
    tx.set(auctionKeys.one(auctionId), closed);
    const { bidId, intentId } = closed.high;
    const capture = await queueOperation(tx, { kind: "capture", auctionId, bidId, intentId }, now);
    // Closed before: the outbox decides when the capture is tried again, and whether at all.
    return auction.closedAt === null ? [capture, sweep] : [sweep];
  }, { queue: `auction:${auctionId}` });
  await runOperations(deps, operations);
}

/** Closes every auction that had bid links and whose time has come. */
export async function closeDueAuctions(deps: PaymentDeps): Promise<void> {
  for (const id of await listIds(deps.store, auctionKeys.allUnsettled)) {
    await closeAuction(deps, id);
  }
}
