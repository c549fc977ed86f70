/** How outbox operations are performed. All are safe to repeat after any crash. */
import type { Tx } from "../kv/store.ts";
import { noteSessionExpired } from "./checkout.ts";
import type { Deps, StripeDeps } from "./deps.ts";
import { failureCode, type FailureKind, failureKind } from "./failures.ts";
import type { TaskOf } from "./operations.ts";
import type { Checkout, Task } from "./schema.ts";

/** The outcome of one try. */
export type Outcome =
  /**
   * Stripe confirmed it. `record` writes the consequences in the transaction that marks it as done,
   * and returns the operations to run next.
   */
  | { done: true; record?: (tx: Tx) => Promise<string[] | void> }
  /**
   * It must be retried: with a new idempotency key if Stripe would otherwise repeat its old
   * response. `missing` means that Stripe has no such object.
   */
  | { done: false; error: string; newKey: boolean; missing?: boolean };

/**
 * Performs one kind of task, using this try's idempotency key. It must be safe to repeat after any
 * crash. (Typed as a method so it fits into a list of performers of any task.)
 */
export type Performer<T extends Task = Task> = {
  perform(deps: StripeDeps, task: T, key: string): Promise<Outcome>;
}["perform"];

/** All performers by kind of task, in the order in which the job runs due work. */
export function performersOf({ paymentKinds }: Deps): Readonly<Record<string, Performer>> {
  const ofKinds = paymentKinds.map(({ performers }) => performers);
  return Object.assign({}, ...ofKinds, { expire_session: expireSession });
}

/** The operation that expires a checkout's session, so it can no longer be paid. */
export function expiryOf({ id, sessionId }: Pick<Checkout, "id" | "sessionId">) {
  const task = { kind: "expire_session", sessionId: sessionId!, checkoutId: id };
  return { id: `expire-${sessionId}`, task };
}

/** Expires a session. If it was already paid, the payment counts as usual. */
const expireSession: Performer<TaskOf<typeof expiryOf>> = async (deps, task, key) => {
  const { sessionId, checkoutId } = task;
  const expired: Outcome = {
    done: true,
    record: (tx) => noteSessionExpired(tx, { checkoutId, sessionId }),
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

/** A failed call. Stripe would repeat a saved response or a refusal under the same key. */
export function failed(error: unknown, kind: FailureKind): Outcome {
  return unfinished(failureCode(error), kind === "saved" || kind === "refused");
}

/** A call that must be retried. */
export function unfinished(error: string, newKey: boolean): Outcome {
  return { done: false, error, newKey };
}
