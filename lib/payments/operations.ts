/**
 * The outbox: every call that changes something at Stripe is written down in the transaction that
 * decides it, and stays until Stripe has confirmed it. A process can die between any two steps; a
 * job repeats what is left.
 */
import { DAY_MS, MINUTE_MS } from "../clock.ts";
import type { Tx } from "../kv/store.ts";
import { hasStripe, type PaymentDeps, type StripeDeps } from "./context.ts";
import { failureCode, failureFields, failureKind } from "./failures.ts";
import { paymentKeys } from "./keys.ts";
import type { DoneOperation, Operation, OperationTask } from "./schema.ts";

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;
const DONE_TTL_MS = 30 * DAY_MS;

/** An operation that has failed this often is shown to the operator as stuck. */
export const STUCK_FAILURES = 5;

/** What came of one try. */
export type Outcome =
  /**
   * Stripe confirmed it; `settle` writes what follows, in the transaction that marks it done, and
   * returns the operations to run next.
   */
  | { done: true; settle?: (tx: Tx) => Promise<string[] | void> }
  /** It has to be tried again; with a new idempotency key where Stripe would repeat its old answer. */
  | { done: false; error: string; newKey: boolean };

/** Performs a kind of task. It must be safe to repeat after any crash. */
export type Performer<T extends OperationTask = OperationTask> = (
  deps: StripeDeps,
  task: T,
  /** The idempotency key of this try. */
  key: string,
) => Promise<Outcome>;

/** A performer for each kind of task. */
export type Performers = {
  [K in OperationTask["kind"]]: Performer<Extract<OperationTask, { kind: K }>>;
};

/** The id of a task: one for each thing that has to happen once. */
export function operationId(task: OperationTask): string {
  switch (task.kind) {
    case "release":
      return `release-${task.bidId}-${task.intentId}`;
    case "capture":
      return `capture-${task.auctionId}`;
    case "expire_session":
      return `expire-${task.sessionId}`;
    case "cancel_subscription":
      return `cancel-${task.subscriptionId}`;
    case "sweep_bids":
      return `sweep-${task.auctionId}`;
  }
}

/**
 * Writes down a task in the transaction that decides it; returns its id. A task that is under way
 * or done already stays as it is, except sweeps, which run again.
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

/** Tries one operation now and records how it went; returns the operations to run next. */
async function runOperation(
  deps: PaymentDeps,
  performers: Performers,
  id: string,
): Promise<string[]> {
  if (!hasStripe(deps)) return [];
  const key = paymentKeys.operation(id);
  const entry = await deps.store.get<Operation>(key);
  if (entry.value === null) return [];
  const { task, attempt } = entry.value;
  const outcome = await tryTask(deps, performers, task, attempt === 1 ? id : `${id}-${attempt}`);
  return await deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const current = await tx.get<Operation>(key);
    if (current.value === null) return [];
    if (outcome.done) {
      // A sweep asked for meanwhile has to run on its own.
      if (current.versionstamp === entry.versionstamp) tx.delete(key);
      tx.set(paymentKeys.doneOperation(id), { doneAt: now } satisfies DoneOperation, {
        expireIn: DONE_TTL_MS,
      });
      return await outcome.settle?.(tx) ?? [];
    }
    const failures = current.value.failures + 1;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    tx.set(
      key,
      {
        ...current.value,
        attempt: current.value.attempt + (outcome.newKey ? 1 : 0),
        failures,
        notBefore: now + wait,
        lastError: outcome.error,
      } satisfies Operation,
    );
    return [];
  });
}

async function tryTask(
  deps: StripeDeps,
  performers: Performers,
  task: OperationTask,
  key: string,
): Promise<Outcome> {
  try {
    return await (performers[task.kind] as Performer)(deps, task, key);
  } catch (error) {
    failureKind(error);
    return { done: false, error: failureCode(error), newKey: false };
  }
}

/** Tries operations that were just written down; what fails is left to the job. */
export async function runNow(
  deps: PaymentDeps,
  performers: Performers,
  ids: Iterable<string>,
): Promise<void> {
  const work = new Set(ids);
  for (const id of work) {
    try {
      for (const next of await runOperation(deps, performers, id)) work.add(next);
    } catch (error) {
      deps.log.warn("operation_failed", { id, ...failureFields(error) });
    }
  }
}

/** Tries every operation that is due; returns how many are left. */
export async function runDueOperations(
  deps: PaymentDeps,
  performers: Performers,
): Promise<number> {
  const due: string[] = [];
  for await (const { value } of deps.store.list<Operation>({ prefix: paymentKeys.operations })) {
    if (value.notBefore <= deps.clock.now()) due.push(value.id);
  }
  await runNow(deps, performers, due);
  let left = 0;
  for await (const _ of deps.store.list({ prefix: paymentKeys.operations })) left++;
  return left;
}
