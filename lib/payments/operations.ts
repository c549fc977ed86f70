/**
 * The outbox of calls to Stripe. Every call that changes something there is written down in the
 * transaction that decides on it, and stays until Stripe has confirmed it. A process can die
 * between any two steps; a job repeats what is left.
 */
import { listValues } from "../kv/ranges.ts";
import type { Tx } from "../kv/store.ts";
import type { PaymentDeps } from "./context.ts";
import { paymentKeys } from "./keys.ts";
import type { Operation, OperationTask } from "./schema.ts";

/** An operation that has failed this often is shown to the operator as stuck. */
export const STUCK_FAILURES = 5;

/** The id of a task. Whatever must happen once has one id. */
export function operationId(task: OperationTask): string {
  switch (task.kind) {
    case "release":
      return `release-${task.bidId}-${task.intentId}`;
    case "capture":
      // Another site may have an auction of the same id in the same Stripe account, which shares
      // its keys.
      return `capture-${task.auctionId}-${task.bidId}`;
    case "expire_session":
      return `expire-${task.sessionId}`;
    case "cancel_subscription":
      return `cancel-${task.subscriptionId}`;
    case "sweep_bids":
      return `sweep-${task.auctionId}`;
  }
}

/**
 * Writes down a task in the transaction that decides on it, and returns its id. A task that waits
 * or is done already stays as it is. A sweep runs again.
 */
export async function queueOperation(tx: Tx, task: OperationTask, now: number): Promise<string> {
  const id = operationId(task);
  const [pending, done] = await tx.getMany<unknown>([
    paymentKeys.operation(id),
    paymentKeys.doneOperation(id),
  ]);
  const runsAgain = task.kind === "sweep_bids";
  if (!runsAgain && (pending!.value !== null || done!.value !== null)) return id;
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
  return id;
}

/** How many tasks one transaction writes down. Each checks two keys, and KV allows 100 checks. */
const QUEUE_MAX = 40;

/** Writes down any number of tasks as `queueOperation` does; returns their ids. */
export async function queueOperations(
  { store, clock }: PaymentDeps,
  tasks: readonly OperationTask[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < tasks.length; i += QUEUE_MAX) {
    const queued = await store.transact(async (tx) => {
      const queued: string[] = [];
      for (const task of tasks.slice(i, i + QUEUE_MAX)) {
        queued.push(await queueOperation(tx, task, clock.now()));
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
export async function retryOperations({ store, clock }: PaymentDeps): Promise<number> {
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
    }
    return waiting.length;
  });
}
