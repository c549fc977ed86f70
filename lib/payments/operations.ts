/**
 * The outbox of calls to Stripe. Every call that changes something there is written down in the
 * transaction that decides on it, and stays until Stripe has confirmed it. A process can die
 * between any two steps; a job repeats what is left.
 */
import { listValues } from "../kv/ranges.ts";
import type { Tx } from "../kv/store.ts";
import type { Deps } from "./deps.ts";
import { paymentKeys } from "./keys.ts";
import type { Operation, Task } from "./schema.ts";

/** An operation that has failed this often is shown to the operator as stuck. */
export const STUCK_FAILURES = 5;

/** An operation that is to be written down. */
export interface NewOperation {
  /** Names the call. Whatever must happen once has one id. */
  id: string;
  task: Task;
  /** Whether it is to run again where it waits or is done already. */
  repeats?: true;
}

/** The task of the operations that a function makes. */
export type TaskOf<F extends (...args: never[]) => NewOperation> = ReturnType<F>["task"];

/**
 * Writes down an operation in the transaction that decides on it, and returns its id. One that waits
 * or is done already stays as it is, unless it `repeats`.
 */
export async function queueOperation(
  tx: Tx,
  { id, task, repeats }: NewOperation,
): Promise<string> {
  const now = tx.store.clock.now();
  const [pending, done] = await tx.getMany<unknown>([
    paymentKeys.operation(id),
    paymentKeys.doneOperation(id),
  ]);
  if (!repeats && (pending!.value !== null || done!.value !== null)) return id;
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

/** Has the job of each minute look for what is due, in the transaction that makes it so. */
export function noteDue(tx: Tx): void {
  tx.set(paymentKeys.health("due"), 0);
}

/** How many operations one transaction writes down. Each checks two keys, and KV allows 100 checks. */
const QUEUE_MAX = 40;

/** Writes down any number of operations as `queueOperation` does; returns their ids. */
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

/** How many operations one transaction may touch: KV allows 100 checks. */
const RETRY_MAX = 90;

/**
 * Makes the job try again what was given up or waits, at most 90 operations in one transaction,
 * those that were given up first. Returns how many.
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
      // From now on it counts as new, so an object that is still missing is asked for for another
      // day.
      const renewed = { ...operation, createdAt: clock.now(), notBefore: clock.now() };
      tx.set(paymentKeys.operation(operation.id), renewed);
      noteDue(tx);
    }
    return waiting.length;
  });
}
