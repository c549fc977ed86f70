/**
 * The outbox of calls to Stripe. Every call that changes something there is queued in the
 * transaction that decides on it, and stays until Stripe confirms it. A process can die between any
 * two steps; a job repeats what is left.
 */
import { MINUTE_MS } from "../clock.ts";
import { listValues } from "../kv/ranges.ts";
import type { Tx } from "../kv/store.ts";
import type { Deps } from "./deps.ts";
import { paymentKeys } from "./keys.ts";
import type { Operation } from "./schema.ts";

/** The age (ms) at which the operator sees an operation that keeps failing as stuck. */
const STUCK_AFTER_MS = 10 * MINUTE_MS;

/**
 * Whether an operation is stuck at `now` (ms). Failures alone wouldn't tell: where the job runs
 * every ten minutes, they are rare.
 */
export function isStuck({ failures, createdAt }: Operation, now: number): boolean {
  return failures > 1 && Math.abs(now - createdAt) > STUCK_AFTER_MS;
}

/** An operation to queue. A call that must happen only once has a single id. */
export type NewOperation = Pick<Operation, "id" | "task">;

/** The task type of the operations that a function creates. */
export type TaskOf<F extends (...args: never[]) => NewOperation> = ReturnType<F>["task"];

/**
 * Queues an operation in the transaction that decides on it, and returns its id. One that is
 * already waiting or done stays unchanged. The commit checks only the decision's own records,
 * because every operation is safe to repeat.
 */
export async function queueOperation(tx: Tx, { id, task }: NewOperation): Promise<string> {
  const now = tx.store.clock.now();
  const [pending, done] = await tx.store.getMany<unknown>([
    paymentKeys.operation(id),
    paymentKeys.doneOperation(id),
  ]);
  if (pending!.value !== null || done!.value !== null) return id;
  const operation: Operation = {
    id,
    task,
    createdAt: now,
    attempt: 1,
    failures: 0,
    notBefore: now,
    lastError: null,
  };
  tx.set(paymentKeys.operation(id), operation);
  noteDue(tx);
  return id;
}

/** Makes the next run of the job look for due work, in the transaction that creates it. */
export function noteDue(tx: Tx): void {
  tx.set(paymentKeys.health("due"), 0);
}

/** Makes the job retry all operations that were given up or are waiting. Returns how many. */
export async function retryOperations({ store, clock }: Deps): Promise<number> {
  let retried = 0;
  for (const { id } of await listValues<Operation>(store, paymentKeys.operations)) {
    retried += await store.transact(async (tx) => {
      const { key, value } = await tx.get<Operation>(paymentKeys.operation(id));
      if (value === null) return 0;
      const { givenUpAt: _, ...operation } = value;
      // It now counts as new, so a missing object is requested for another day.
      tx.set(key, { ...operation, createdAt: clock.now(), notBefore: clock.now() });
      noteDue(tx);
      return 1;
    });
  }
  return retried;
}
