/**
 * Performs each kind of operation of the outbox. All of them are safe to repeat after any crash.
 */
import {
  noteCaptured,
  noteReleased,
  noteSessionExpired,
  settleCaptureFailed,
  settleWon,
} from "../auctions/settle.ts";
import { bidsToSweep } from "../auctions/sweep.ts";
import type { Tx } from "../kv/store.ts";
import { hasEnded } from "../promotions/subscriptions.ts";
import { alertOperator } from "./alerts.ts";
import type { StripeDeps } from "./context.ts";
import { failureCode, type FailureKind, failureKind, requireStripeError } from "./failures.ts";
import { queueOperations } from "./operations.ts";
import type { OperationTask } from "./schema.ts";

type Task<K extends OperationTask["kind"]> = Extract<OperationTask, { kind: K }>;

/** The outcome of one try. */
export type Outcome =
  /**
   * Stripe confirmed it. `settle` writes what follows from it, in the transaction that marks it as
   * done, and returns the operations to run next.
   */
  | { done: true; settle?: (tx: Tx) => Promise<string[] | void> }
  /**
   * It must be tried again: with a new idempotency key if Stripe would otherwise repeat its old
   * answer. `missing` means that Stripe has no such object.
   */
  | { done: false; error: string; newKey: boolean; missing?: boolean };

/** Performs a kind of task. It must be safe to repeat after any crash. */
export type Performer<T extends OperationTask = OperationTask> = (
  deps: StripeDeps,
  task: T,
  /** The idempotency key of this try. */
  key: string,
) => Promise<Outcome>;

/** Releases a hold: done when Stripe says that it is canceled. */
const release: Performer<Task<"release">> = async (deps, task, key) => {
  const { intentId, bidId } = task;
  const released: Outcome = {
    done: true,
    settle: async (tx) => void await noteReleased(tx, bidId, intentId),
  };
  try {
    const intent = await deps.stripe.paymentIntents.cancel(intentId, {}, { idempotencyKey: key });
    return intent.status === "canceled" ? released : unfinished("not_canceled", true);
  } catch (error) {
    const kind = failureKind(error);
    const intent = await deps.stripe.paymentIntents.retrieve(intentId);
    if (intent.status === "canceled") return released;
    if (intent.status === "succeeded") {
      await alertOperator(deps, "A hold was captured that does not lead", { bidId, intentId });
      return { done: true, settle: async (tx) => void await noteCaptured(tx, bidId, intentId) };
    }
    return failed(error, kind);
  }
};

/** Captures the winner's hold in full, once. */
const capture: Performer<Task<"capture">> = async (deps, task, key) => {
  const { auctionId, bidId, intentId } = task;
  const won: Outcome = { done: true, settle: (tx) => settleWon(tx, auctionId) };
  try {
    const intent = await deps.stripe.paymentIntents.capture(intentId, {}, { idempotencyKey: key });
    return intent.status === "succeeded" ? won : unfinished("not_captured", true);
  } catch (error) {
    const kind = failureKind(error);
    const intent = await deps.stripe.paymentIntents.retrieve(intentId);
    if (intent.status === "succeeded") return won;
    const stillHeld = intent.status === "requires_capture";
    // While the intent is processing it may still succeed, whatever this try was answered.
    const isOpen = intent.status === "processing" || (stillHeld && kind !== "refused");
    if (isOpen) return failed(error, kind);
    await alertOperator(deps, "The winner's hold could not be captured", {
      auctionId,
      bidId,
      error: failureCode(error),
    });
    const now = deps.clock.now();
    return { done: true, settle: (tx) => settleCaptureFailed(tx, { auctionId, now }) };
  }
};

/**
 * Expires a session that must not be paid any more. If it was paid already, its hold is judged as
 * usual.
 */
const expireSession: Performer<Task<"expire_session">> = async (deps, task, key) => {
  const { sessionId, checkoutId } = task;
  const expired: Outcome = {
    done: true,
    settle: (tx) => noteSessionExpired(tx, { checkoutId, sessionId }),
  };
  try {
    const options = { idempotencyKey: key };
    const session = await deps.stripe.checkout.sessions.expire(sessionId, {}, options);
    return session.status === "expired" ? expired : unfinished("not_expired", true);
  } catch (error) {
    const kind = failureKind(error);
    const session = await deps.stripe.checkout.sessions.retrieve(sessionId);
    if (session.status === "expired") return expired;
    if (session.status === "complete") return { done: true };
    return failed(error, kind);
  }
};

/** Cancels a renewal, which whoever queued it no longer counts as live. */
const cancelSubscription: Performer<Task<"cancel_subscription">> = async (deps, task) => {
  const { subscriptionId } = task;
  const ended: Outcome = { done: true };
  try {
    const subscription = await deps.stripe.subscriptions.cancel(subscriptionId);
    return hasEnded(subscription) ? ended : unfinished("not_canceled", false);
  } catch (error) {
    // Stripe also answers "no such subscription" for a canceled one, so it is retrieved. One that
    // is really missing belongs to another account, where it goes on.
    requireStripeError(error);
    const subscription = await deps.stripe.subscriptions.retrieve(subscriptionId);
    return hasEnded(subscription) ? ended : unfinished(failureCode(error), false);
  }
};

/** Queues the expiry of every link of an auction that can no longer lead to an accepted bid. */
const sweepBids: Performer<Task<"sweep_bids">> = async (deps, task) => {
  const ids = await queueOperations(deps, await bidsToSweep(deps, task.auctionId));
  return { done: true, settle: () => Promise.resolve(ids) };
};

/** A performer for each kind of task. */
export const performers: { [K in OperationTask["kind"]]: Performer<Task<K>> } = {
  release,
  capture,
  expire_session: expireSession,
  cancel_subscription: cancelSubscription,
  sweep_bids: sweepBids,
};

/** A call that failed. Stripe would repeat a saved answer or a refusal under the same key. */
function failed(error: unknown, kind: FailureKind): Outcome {
  return unfinished(failureCode(error), kind === "saved" || kind === "refused");
}

function unfinished(error: string, newKey: boolean): Outcome {
  return { done: false, error, newKey };
}
