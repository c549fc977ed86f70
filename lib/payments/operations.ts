/**
 * The outbox of calls to Stripe. Every call that changes something there is queued in the
 * transaction that decides on it, and stays until Stripe confirms it. A process can die between any
 * two steps; a job repeats what is left.
 */
import { listValues } from "../kv/ranges.ts";
import type { Tx } from "../kv/store.ts";
import type { Deps } from "./deps.ts";
import { paymentKeys } from "./keys.ts";
import type { Operation } from "./schema.ts";

/** After this many failures, the operator sees an operation as stuck. */
export const STUCK_FAILURES = 5;

/** An operation to queue. A call that must happen only once has a single id. */
export type NewOperation = Pick<Operation, "id" | "task">;

/** The task type of the operations that a function creates. */
export type TaskOf<F extends (...args: never[]) => NewOperation> = ReturnType<F>["task"];

/**
 * Queues an operation in the transaction that decides on it, and returns its id. One that is
 * already waiting or done stays unchanged.
 */
export async function queueOperation(tx: Tx, { id, task }: NewOperation): Promise<string> {
  const now = tx.store.clock.now();
  const [pending, done] = await tx.getMany<unknown>([
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

/**
 * The maximum number of operations one transaction queues. Each checks two keys, and KV allows 100
 * checks.
 */
const QUEUE_MAX = 40;

/** Queues any number of operations like `queueOperation`; returns their ids. */
export async function queueOperations(
  { store }: Deps,
  operations: readonly NewOperation[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < operations.length; i += QUEUE_MAX) {
    const queued = await store.transact(async (tx) => {
      const queued: string[] = [];
      for (const operation of operations.slice(i, i + QUEUE_MAX)) {
        queued.push(await queueOperation(tx, operation));
      }
      return queued;
    });
    ids.push(...queued);
  }
  return ids;
}

/** The maximum number of operations one transaction may touch: KV allows 100 checks. */
const RETRY_MAX = 90;

/**
 * Makes the job retry operations that were given up or are waiting, up to 90 per transaction,
 * given-up ones first. Returns how many.
 */
export async function retryOperations({ store, clock }: Deps): Promise<number> {
  const all = await listValues<Operation>(store, paymentKeys.operations);
  all.sort((a, b) => (b.givenUpAt ?? 0) - (a.givenUpAt ?? 0));
  return await store.transact(async (tx) => {
    const entries = await tx.getMany<Operation>(
      all.slice(0, RETRY_MAX).map(({ id }) => paymentKeys.operation(id)),
    );
    const waiting = entries.flatMap(({ value }) => value === null ? [] : [value]);
    for (const { givenUpAt: _, ...operation } of waiting) {
      // It now counts as new, so a missing object is requested for another day.
      const renewed = { ...operation, createdAt: clock.now(), notBefore: clock.now() };
      tx.set(paymentKeys.operation(operation.id), renewed);
      noteDue(tx);
    }
    return waiting.length;
  });
}
