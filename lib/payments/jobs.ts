import { closeDueAuctions } from "../auctions/closing.ts";
import type { Deps } from "../deps.ts";
import { errorFields } from "../log.ts";
import { expireHiddenLinks } from "../promotions/sweep.ts";
import { repeatOperations } from "./performers.ts";
import { reconcile } from "./reconcile.ts";

/** Closes auctions whose time has come, and repeats operations that Stripe has not confirmed. */
export async function settlePayments(deps: Deps): Promise<void> {
  await closeDueAuctions(deps);
  await repeatOperations(deps);
}

/**
 * Looks at Stripe for what no webhook told us. Throws if a part failed, so that the job counts as
 * failed.
 */
export async function reconcilePayments(deps: Deps): Promise<void> {
  if (!await reconcile(deps)) throw new Error("Reconciliation is incomplete");
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
