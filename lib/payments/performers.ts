/** How the operations of the outbox are performed. All are safe to repeat after any crash. */
import type { Tx } from "../kv/store.ts";
import { noteSessionExpired } from "./checkout.ts";
import type { Deps, StripeDeps } from "./deps.ts";
import { failureCode, type FailureKind, failureKind } from "./failures.ts";
import type { TaskOf } from "./operations.ts";
import type { Checkout, Task } from "./schema.ts";

/** The outcome of one try. */
export type Outcome =
  /**
   * Stripe confirmed it. `settle` writes what follows from it, in the transaction that marks it as
   * done, and returns the operations to run next. One that was asked for again meanwhile runs again
   * if it `repeats`.
   */
  | { done: true; settle?: (tx: Tx) => Promise<string[] | void>; repeats?: true }
  /**
   * It must be tried again: with a new idempotency key if Stripe would otherwise repeat its old
   * answer. `missing` means that Stripe has no such object.
   */
  | { done: false; error: string; newKey: boolean; missing?: boolean };

/**
 * Performs a kind of task, under the idempotency key of this try. It must be safe to repeat after any
 * crash. (As the type of a method, it fits a list of performers of any task.)
 */
export type Performer<T extends Task = Task> = {
  perform(deps: StripeDeps, task: T, key: string): Promise<Outcome>;
}["perform"];

/** Every performer by its kind of task, in the order in which the job runs what is due. */
export function performersOf({ paymentKinds }: Deps): Readonly<Record<string, Performer>> {
  const ofKinds = paymentKinds.map(({ performers }) => performers);
  return Object.assign({}, ...ofKinds, { expire_session: expireSession });
}

/** The operation that expires the session of a checkout, so that it cannot be paid any more. */
export function expiryOf({ id, sessionId }: Pick<Checkout, "id" | "sessionId">) {
  const task = { kind: "expire_session", sessionId: sessionId!, checkoutId: id };
  return { id: `expire-${sessionId}`, task };
}

/** Expires a session. If it was paid already, what was paid counts as usual. */
const expireSession: Performer<TaskOf<typeof expiryOf>> = async (deps, task, key) => {
  const { sessionId, checkoutId } = task;
  const expired: Outcome = {
    done: true,
    settle: (tx) => noteSessionExpired(deps, tx, { checkoutId, sessionId }),
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

/** A call that failed. Stripe would repeat a saved answer or a refusal under the same key. */
export function failed(error: unknown, kind: FailureKind): Outcome {
  return unfinished(failureCode(error), kind === "saved" || kind === "refused");
}

/** A call that must be tried again. */
export function unfinished(error: string, newKey: boolean): Outcome {
  return { done: false, error, newKey };
}
