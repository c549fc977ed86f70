import { closeDueAuctions } from "../auctions/closing.ts";
import { MINUTE_MS } from "../clock.ts";
import { hasStripe, type PaymentDeps } from "./context.ts";
import type { Deps } from "./deps.ts";
import { paymentKeys } from "./keys.ts";
import { repeatOperations } from "./operation_runner.ts";
import { reconcile } from "./reconcile.ts";

/**
 * For how long a process that looks at Stripe keeps others from it: half the time between two
 * looks, so that clocks may differ.
 */
const TURN_MS = 5 * MINUTE_MS;

/** Closes auctions whose time has come, and repeats operations that Stripe has not confirmed. */
export async function settlePayments(deps: Deps): Promise<void> {
  await closeDueAuctions(deps);
  await repeatOperations(deps);
}

/**
 * Looks at Stripe for what no webhook told us, unless another process that can has just begun to:
 * reads at Stripe are counted. Throws if a part failed, so that the job counts as failed.
 */
export async function reconcilePayments(deps: PaymentDeps): Promise<void> {
  if (!hasStripe(deps)) return;
  const key = paymentKeys.health("reconciling");
  const isTaken = await deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const { value: begunAt } = await tx.get<number>(key);
    if (begunAt !== null && Math.abs(now - begunAt) < TURN_MS) return true;
    tx.set(key, now);
    return false;
  });
  if (isTaken || await reconcile(deps)) return;
  // Whoever starts again with what was wrong put right need not wait.
  await deps.store.transact((tx) => {
    tx.delete(key);
  });
  throw new Error("Reconciliation is incomplete");
}
