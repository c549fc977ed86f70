import { closeDueAuctions } from "../auctions/closing.ts";
import { MINUTE_MS } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { errorFields } from "../log.ts";
import { expireHiddenLinks } from "../promotions/sweep.ts";
import { hasStripe, type PaymentDeps } from "./context.ts";
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

/**
 * As soon as a listing is hidden, also by another process, expires its open links and cancels its
 * renewals. What to cancel was written down by the transaction that hid the listing. Returns the
 * function that stops this.
 */
export function cancelWhenHidden(deps: Deps): () => void {
  return deps.store.subscribe((notice) => {
    if (notice.type !== "change") return;
    const { kind, event } = notice.change;
    if (kind !== "listing" || event !== "hidden") return;
    expireHiddenLinks(deps).then(() => repeatOperations(deps)).catch((error) => {
      deps.log.warn("sales_not_ended", errorFields(error));
    });
  });
}
