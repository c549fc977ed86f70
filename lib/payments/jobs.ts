import { closeDueAuctions } from "../auctions/closing.ts";
import type { Deps } from "../deps.ts";
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
