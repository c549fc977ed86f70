/**
 * The outbox of calls to Stripe. Every call that changes something there is written down in the
 * transaction that decides on it, and stays until Stripe has confirmed it. A process can die
 * between any two steps; a job repeats what is left.
 */
import { DAY_MS, MINUTE_MS } from "../clock.ts";
import { listValues } from "../kv/ranges.ts";
import type { Tx } from "../kv/store.ts";
import { alertOperator } from "./alerts.ts";
import { hasStripe, type PaymentDeps, type StripeDeps } from "./context.ts";
import { failureCode, failureFields, isMissing, requireStripeError } from "./failures.ts";
import { paymentKeys } from "./keys.ts";
import type { DoneOperation, Operation, OperationTask } from "./schema.ts";

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;
const DONE_TTL_MS = 30 * DAY_MS;

/**
 * For how long we go on asking for an object that Stripe does not have. It belongs to another
 * account or to test mode, and the operator may still correct the key.
 */
const MISSING_MS = DAY_MS;

/**
 * How long (ms) a request or a webhook may spend on operations that follow from it. The job does
 * the rest.
 */
const INLINE_MS = 5_000;

/** The order in which the job runs what is due. */
const ORDER: OperationTask["kind"][] = [
  "capture",
  "release",
  "cancel_subscription",
  "sweep_bids",
  "expire_session",
];

/** An operation that has failed this often is shown to the operator as stuck. */
export const STUCK_FAILURES = 5;

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

/** A performer for each kind of task. */
export type Performers = {
  [K in OperationTask["kind"]]: Performer<Extract<OperationTask, { kind: K }>>;
};

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

/** Tries one operation now and records the outcome. Returns the operations to run next. */
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
  const givesUp = !outcome.done && outcome.missing === true &&
    deps.clock.now() - entry.value.createdAt > MISSING_MS;
  if (givesUp) {
    await alertOperator(deps, "A call was given up: Stripe has no such object under this key", {
      operation: id,
    });
  }
  return await deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const current = await tx.get<Operation>(key);
    if (current.value === null) return [];
    if (outcome.done) {
      // A sweep that was asked for meanwhile must run as well. Otherwise what changed was another
      // process noting its failure.
      const isAskedAgain = task.kind === "sweep_bids" &&
        current.versionstamp !== entry.versionstamp;
      if (!isAskedAgain) tx.delete(key);
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
        ...(givesUp && { givenUpAt: now }),
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
    requireStripeError(error);
    const missing = isMissing(error);
    // A new key, because Stripe would repeat its answer for a day, even once our settings are
    // corrected.
    return { done: false, error: failureCode(error), newKey: missing, missing };
  }
}

/**
 * Tries operations that were just written down. What fails or takes too long is left to the job.
 */
export async function runNow(
  deps: PaymentDeps,
  performers: Performers,
  ids: Iterable<string>,
  patienceMs = INLINE_MS,
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  const work = new Set(ids);
  for (const id of work) {
    if (performance.now() > giveUpAt) return;
    try {
      for (const next of await runOperation(deps, performers, id)) work.add(next);
    } catch (error) {
      deps.log.warn("operation_failed", { id, ...failureFields(error) });
    }
  }
}

/** Tries every operation that is due, captures and releases first. */
export async function runDueOperations(
  deps: PaymentDeps,
  performers: Performers,
): Promise<void> {
  const all = await listValues<Operation>(deps.store, paymentKeys.operations);
  const due = all.filter(({ givenUpAt, notBefore }) => {
    const wait = notBefore - deps.clock.now();
    // A wait that is longer than any we write was written under a clock that has since been set
    // back.
    return givenUpAt === undefined && (wait <= 0 || wait > LONGEST_WAIT_MS);
  });
  due.sort((a, b) => ORDER.indexOf(a.task.kind) - ORDER.indexOf(b.task.kind));
  await runNow(deps, performers, due.map(({ id }) => id), Infinity);
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
