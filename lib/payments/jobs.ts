import { closeDueAuctions } from "../auctions/closing.ts";
import type { Deps } from "../deps.ts";
import { errorFields } from "../log.ts";
import { expireHiddenLinks } from "../promotions/sweep.ts";
import { repeatOperations } from "./performers.ts";
import { reconcile } from "./reconcile.ts";

/** Closes auctions whose time has come, and repeats what Stripe has not confirmed. */
export async function settlePayments(deps: Deps): Promise<void> {
  await closeDueAuctions(deps);
  await repeatOperations(deps);
}

/** Looks at Stripe for what no webhook told us of; throws when a part failed, so that it is noted. */
export async function reconcilePayments(deps: Deps): Promise<void> {
  if (!await reconcile(deps)) throw new Error("Reconciliation is incomplete");
}

/**
 * Cancels the renewals of listings as soon as they are hidden, also by another process (the
 * transaction that hides one has written down what to cancel), and expires their open links.
 * Returns the way to stop.
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
