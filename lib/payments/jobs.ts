import { MINUTE_MS } from "../clock.ts";
import { type Deps, hasStripe } from "./deps.ts";
import { paymentKeys } from "./keys.ts";
import { LONGEST_WAIT_MS, settleDue } from "./operation_runner.ts";
import { readOutlook, reconcile } from "./reconcile.ts";

/**
 * For how long a process that looks at Stripe keeps others from it: half the time between two
 * looks, so that clocks may differ.
 */
const TURN_MS = 5 * MINUTE_MS;

/**
 * Does what is due by the clock, and repeats operations that Stripe has not confirmed. While nothing is
 * due, a run costs one read, in any process. Returns false if nothing was done.
 */
export async function settlePayments(deps: Deps): Promise<boolean> {
  if (!hasStripe(deps)) return false;
  const { value } = await deps.store.get<number>(paymentKeys.health("due"));
  const wait = (value ?? 0) - deps.clock.now();
  // A longer wait than any we write was written under a clock that has since been set back.
  const isQuiet = wait > 0 && (wait <= LONGEST_WAIT_MS || wait === Infinity);
  return !isQuiet && await settleDue(deps);
}

/**
 * Looks at Stripe for what no webhook told us, unless another process that can has just begun to:
 * reads at Stripe are counted. Throws if a part failed, so that the job counts as failed. Returns
 * false if there was nothing to look at.
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
  // After a restart with the problem fixed, nobody needs to wait.
  await deps.store.transact((tx) => {
    tx.delete(key);
  });
  throw new Error("Reconciliation is incomplete");
}
