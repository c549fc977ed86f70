/** Runs outbox operations: right after they are queued, and again in a job. */
import { DAY_MS, MINUTE_MS } from "../clock.ts";
import { isDue, noteNext } from "../job_due.ts";
import { listValues } from "../kv/ranges.ts";
import { alertOperator } from "./alerts.ts";
import { type Deps, hasStripe, type StripeDeps } from "./deps.ts";
import { failureCode, failureFields, isMissing, requireStripeError } from "./failures.ts";
import { paymentKeys } from "./keys.ts";
import { type Outcome, performersOf } from "./performers.ts";
import type { Operation, Task } from "./schema.ts";

const FIRST_WAIT_MS = 4_000;
/** The longest (ms) that an operation waits for its next try. */
export const LONGEST_WAIT_MS = 10 * MINUTE_MS;

/**
 * How long we keep asking for an object that Stripe does not have. It belongs to another account or
 * to test mode, and the operator may still correct the key.
 */
const MISSING_MS = DAY_MS;

/** How long (ms) a request or webhook may spend on follow-up operations. The job does the rest. */
const INLINE_MS = 5_000;
/** How long (ms) a run of the job may spend on them before leaving the rest to the next. */
const REPEATED_MS = 40_000;

/** Tries one operation now and records the outcome. Returns the operations to run next. */
async function runOperation(deps: Deps, id: string): Promise<string[]> {
  if (!hasStripe(deps)) return [];
  const key = paymentKeys.operation(id);
  const entry = await deps.store.get<Operation>(key);
  if (entry.value === null) return [];
  const { task, attempt } = entry.value;
  const outcome = await tryTask(deps, task, attempt === 1 ? id : `${id}-${attempt}`);
  const givesUp = !outcome.done && outcome.missing === true &&
    deps.clock.now() - entry.value.createdAt > MISSING_MS;
  if (givesUp) {
    await alertOperator(deps, "Gave up on a call: Stripe has no such object for this key", {
      operation: id,
    });
  }
  return await deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const current = await tx.get<Operation>(key);
    if (current.value === null) return [];
    if (outcome.done) {
      tx.delete(key);
      tx.setExpiring(paymentKeys.doneOperation(id), true);
      return await outcome.record?.(tx) ?? [];
    }
    const failures = current.value.failures + 1;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
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

async function tryTask(deps: StripeDeps, task: Task, key: string): Promise<Outcome> {
  const perform = performersOf(deps)[task.kind];
  if (perform === undefined) throw new Error(`Nothing performs ${task.kind}`);
  try {
    return await perform(deps, task, key);
  } catch (error) {
    requireStripeError(error);
    const missing = isMissing(error);
    // A new key, because Stripe would repeat its response for a day, even after our settings are
    // corrected.
    return { done: false, error: failureCode(error), newKey: missing, missing };
  }
}

/** Tries newly queued operations. The job retries any that fail or take too long. */
export async function runOperations(
  deps: Deps,
  ids: Iterable<string>,
  patienceMs = INLINE_MS,
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  const work = new Set(ids);
  for (const id of work) {
    if (performance.now() > giveUpAt) return;
    try {
      for (const next of await runOperation(deps, id)) work.add(next);
    } catch (error) {
      deps.log.warn("operation_failed", { id, ...failureFields(error) });
    }
  }
}

/**
 * Tries due operations, in performer order, longest-waiting first. Returns when (ms) the next one
 * was due as the run began; Infinity if none waited.
 */
export async function repeatOperations(deps: Deps): Promise<number> {
  const all = await listValues<Operation>(deps.store, paymentKeys.operations);
  const due = all.filter(({ givenUpAt, notBefore }) =>
    givenUpAt === undefined && isDue(notBefore, deps.clock.now(), LONGEST_WAIT_MS)
  );
  const order = Object.keys(performersOf(deps));
  due.sort((a, b) =>
    order.indexOf(a.task.kind) - order.indexOf(b.task.kind) || a.notBefore - b.notBefore
  );
  await runOperations(deps, due.map(({ id }) => id), REPEATED_MS);
  if (due.length > 0) return deps.clock.now();
  return Math.min(
    ...all.filter(({ givenUpAt }) => givenUpAt === undefined).map(({ notBefore }) => notBefore),
  );
}

/**
 * Runs what is due in each kind, and repeats due operations. If nothing was due, records when there
 * is more to do, and returns false. Queuing new work resets that time (`noteDue`).
 */
export async function settleDue(deps: Deps): Promise<boolean> {
  const known = await deps.store.get<number>(paymentKeys.health("due"));
  const times: number[] = [];
  for (const kind of deps.paymentKinds) times.push(await kind.settle?.(deps) ?? Infinity);
  times.push(await repeatOperations(deps));
  const next = Math.min(...times);
  if (next <= deps.clock.now()) return true;
  await noteNext(deps.store, known, { next, longest: LONGEST_WAIT_MS });
  return false;
}
