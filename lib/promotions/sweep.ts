import { listIds } from "../kv/ranges.ts";
import { listingKeys } from "../listings/keys.ts";
import type { StoredListing } from "../listings/schema.ts";
import { hasStripe, type PaymentDeps } from "../payments/context.ts";
import { paymentKeys } from "../payments/keys.ts";
import { runOperations } from "../payments/operation_runner.ts";
import { queueOperations } from "../payments/operations.ts";
import type { Checkout, OperationTask } from "../payments/schema.ts";

/**
 * Expires the open links of hidden listings, those of bids too: all sales are final, and no bid for
 * a hidden listing counts. It works from what is stored, so it may run at any time, and again.
 */
export async function expireHiddenLinks(deps: PaymentDeps): Promise<void> {
  if (!hasStripe(deps)) return;
  const { store } = deps;
  const ids = await listIds(store, paymentKeys.openCheckouts);
  const checkouts = await store.getMany<Checkout>(ids.map((id) => paymentKeys.checkout(id)));
  const open = checkouts.flatMap(({ value }) => value?.status === "open" ? [value] : []);
  const listings = await store.getMany<StoredListing>(
    open.map(({ slug }) => listingKeys.one(slug)),
  );
  const tasks = open.filter((_, i) => listings[i]!.value?.state === "hidden")
    .map(({ id, sessionId }): OperationTask => ({
      kind: "expire_session",
      sessionId: sessionId!,
      checkoutId: id,
    }));
  await runOperations(deps, await queueOperations(deps, tasks));
}
