import { MINUTE_MS } from "../clock.ts";
import { hasWork } from "../job_due.ts";
import { type Deps, hasStripe } from "./deps.ts";
import { paymentKeys } from "./keys.ts";
import { LONGEST_WAIT_MS, settleDue } from "./operation_runner.ts";
import { readOutlook, reconcile } from "./reconcile.ts";

/**
 * How long one process's check at Stripe keeps others from starting theirs: half the time between
 * two checks, since clocks may differ.
 */
const TURN_MS = 5 * MINUTE_MS;

/**
 * Runs what is due by the clock, and repeats operations that Stripe has not confirmed. While
 * nothing is due, a run costs one read, in any process. Returns false if nothing was done.
 */
export async function settlePayments(deps: Deps): Promise<boolean> {
  if (!hasStripe(deps)) return false;
  const known = await deps.store.get<number>(paymentKeys.health("due"));
  return hasWork(known, deps.clock.now(), LONGEST_WAIT_MS) && await settleDue(deps);
}

/**
 * Checks Stripe for anything webhooks missed, unless another process has just started to: Stripe
 * limits reads. Throws if a part failed, so the job counts as failed. Returns false if there was
 * nothing to check.
 */
export async function reconcilePayments(deps: Deps): Promise<boolean> {
  if (!hasStripe(deps)) return false;
  const outlook = await readOutlook(deps);
  if (!outlook.isHourly && !outlook.awaitsNews) return false;
  const key = paymentKeys.health("reconciling");
  const isTaken = await deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const { value: begunAt } = await tx.get<number>(key);
    if (begunAt !== null && Math.abs(now - begunAt) < TURN_MS) return true;
    tx.set(key, now);
    return false;
  });
  if (isTaken) return false;
  if (await reconcile(deps, outlook)) return true;
  // If someone fixes the problem and restarts, the next check shouldn't have to wait.
  await deps.store.transact((tx) => tx.delete(key));
  throw new Error("Reconciliation is incomplete");
}
