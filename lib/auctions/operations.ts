/** Auction operations at Stripe. All are safe to repeat after any crash. */
import { alertOperator } from "../payments/alerts.ts";
import { failureCode, failureKind } from "../payments/failures.ts";
import type { PaymentKind } from "../payments/kinds.ts";
import { queueOperation, type TaskOf } from "../payments/operations.ts";
import { failed, type Outcome, type Performer, unfinished } from "../payments/performers.ts";
import type { HighBid } from "./schema.ts";
import { noteCaptured, noteReleased, settleHigh } from "./settle.ts";

type Hold = Pick<HighBid, "bidId" | "intentId">;

/** The release of a hold. */
export function releaseOf({ bidId, intentId }: Hold) {
  return { id: `release-${bidId}-${intentId}`, task: { kind: "release", intentId, bidId } };
}

/**
 * The capture of the winner's hold. Another site on the same Stripe account may have an auction
 * with the same id, and both share their idempotency keys, so the id includes the bid.
 */
export function captureOf(auctionId: string, { bidId, intentId }: Hold) {
  const task = { kind: "capture", auctionId, bidId, intentId };
  return { id: `capture-${auctionId}-${bidId}`, task };
}

/** Releases a hold: done when Stripe says that it is canceled. */
const release: Performer<TaskOf<typeof releaseOf>> = async (deps, task, key) => {
  const { intentId, bidId } = task;
  const released: Outcome = {
    done: true,
    record: async (tx) => void await noteReleased(tx, bidId, intentId),
  };
  try {
    const intent = await deps.stripe.paymentIntents.cancel(intentId, {}, { idempotencyKey: key });
    return intent.status === "canceled" ? released : unfinished("not_canceled", true);
  } catch (error) {
    const kind = failureKind(error);
    const intent = await deps.stripe.paymentIntents.retrieve(intentId);
    if (intent.status === "canceled") return released;
    if (intent.status === "succeeded") {
      await alertOperator(deps, "A hold was captured for a bid that isn't leading", {
        bidId,
        intentId,
      });
      return { done: true, record: async (tx) => void await noteCaptured(tx, bidId, intentId) };
    }
    return failed(error, kind);
  }
};

/** Captures the winner's hold in full, once. */
const capture: Performer<TaskOf<typeof captureOf>> = async (deps, task, key) => {
  const { auctionId, bidId, intentId } = task;
  const won: Outcome = { done: true, record: (tx) => settleHigh(tx, auctionId, "won") };
  try {
    const intent = await deps.stripe.paymentIntents.capture(intentId, {}, { idempotencyKey: key });
    return intent.status === "succeeded" ? won : unfinished("not_captured", true);
  } catch (error) {
    const kind = failureKind(error);
    const intent = await deps.stripe.paymentIntents.retrieve(intentId);
    if (intent.status === "succeeded") return won;
    const stillHeld = intent.status === "requires_capture";
    // While the intent is processing, it may still succeed, whatever Stripe said to this attempt.
    const isOpen = intent.status === "processing" || (stillHeld && kind !== "refused");
    if (isOpen) return failed(error, kind);
    await alertOperator(deps, "The winner's hold could not be captured", {
      auctionId,
      bidId,
      error: failureCode(error),
    });
    return {
      done: true,
      async record(tx) {
        await settleHigh(tx, auctionId, "capture-failed");
        // If the hold is still there, nobody needs it anymore.
        return [await queueOperation(tx, releaseOf(task))];
      },
    };
  }
};

/** A performer for each kind of task, most urgent first. Earlier versions queued `sweep_bids`. */
export const bidPerformers: PaymentKind["performers"] = {
  capture,
  release,
  sweep_bids: () => Promise.resolve({ done: true }),
};
