import { listIds } from "../kv/ranges.ts";
import { listingKeys } from "../listings/keys.ts";
import type { StoredListing } from "../listings/schema.ts";
import { hasStripe, type PaymentDeps } from "../payments/context.ts";
import { paymentKeys } from "../payments/keys.ts";
import { queueOperations } from "../payments/operations.ts";
import { runOperations } from "../payments/performers.ts";
import type { Checkout, OperationTask } from "../payments/schema.ts";

/**
 * Expires the links under which somebody could still pay for the promotion of a hidden listing: all sales are
 * final. What there is to do follows from what is stored, so it may run at any time, and again.
 */
export async function expireHiddenOrders(deps: PaymentDeps): Promise<void> {
  if (!hasStripe(deps)) return;
  const { store } = deps;
  const ids = await listIds(store, paymentKeys.openCheckouts);
  const checkouts = await store.getMany<Checkout>(ids.map((id) => paymentKeys.checkout(id)));
  const orders = checkouts.flatMap(({ value }) =>
    value?.kind === "promotion" && value.status === "open" ? [value] : []
  );
  const listings = await store.getMany<StoredListing>(
    orders.map(({ slug }) => listingKeys.one(slug)),
  );
  const tasks = orders.filter((_, i) => listings[i]!.value?.state === "hidden")
    .map((order): OperationTask => ({
      kind: "expire_session",
      sessionId: order.sessionId!,
      checkoutId: order.id,
    }));
  await runOperations(deps, await queueOperations(deps, tasks));
}
