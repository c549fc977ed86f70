/** Renewals: no more than one live subscription per listing and tier, none for a hidden listing. */
import type Stripe from "stripe";
import { TIERS } from "../catalog/tiers.ts";
import type { Tx } from "../kv/store.ts";
import { isTakenDown } from "../listings/service.ts";
import { failureCode, requireStripeError } from "../payments/failures.ts";
import { idOf } from "../payments/objects.ts";
import { queueOperation, type TaskOf } from "../payments/operations.ts";
import { type Outcome, type Performer, unfinished } from "../payments/performers.ts";
import { promotionKeys } from "./keys.ts";
import type { BillingAccount, PromotionCheckout, StoredSubscription } from "./schema.ts";

/** Whether a subscription has ended at Stripe: it was canceled, or its first payment never came. */
export function hasEnded({ status }: Pick<Stripe.Subscription, "status">): boolean {
  return status === "canceled" || status === "incomplete_expired";
}

/**
 * Records an order's subscription in the caller's transaction. A second one for the same tier, or
 * one for a hidden listing, is canceled; paid time is granted anyway. Returns the operations to
 * run.
 */
export async function recordSubscription(
  tx: Tx,
  options: { order: PromotionCheckout; subscription: Stripe.Subscription; now: number },
): Promise<string[]> {
  const { order, subscription, now } = options;
  const { id } = subscription;
  const { slug, tierId } = order;
  const fresh: StoredSubscription = {
    id,
    slug,
    tierId,
    checkoutId: order.id,
    customerId: idOf(subscription.customer),
    ending: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    since: now,
  };
  const [known, live] = await tx.getMany<unknown>([
    promotionKeys.subscription(id),
    promotionKeys.byTier(slug, tierId),
  ]);
  if (hasEnded(subscription)) {
    // Also stored if new: this discards what another call read before it ended.
    if (known!.value === null) tx.set(known!.key, fresh);
    if (live!.value === id) tx.delete(live!.key);
    return [];
  }
  if (known!.value !== null) {
    const before = known!.value as StoredSubscription;
    if ((before.ending ?? false) !== fresh.ending) {
      tx.set(known!.key, { ...before, ending: fresh.ending });
    }
    return [];
  }
  tx.set(known!.key, fresh);
  if (live!.value !== null || await isTakenDown(tx, slug)) {
    return [await queueOperation(tx, cancellationOf(id))];
  }
  tx.set(promotionKeys.byTier(slug, tierId), id);
  rememberCustomer(tx, slug, fresh.customerId);
  return [];
}

/** Remembers a listing's latest payer. */
export function rememberCustomer(tx: Tx, slug: string, customerId: string): void {
  const account: BillingAccount = { customerId, at: tx.store.clock.now() };
  tx.set(promotionKeys.billing(slug), account);
}

/** Queues the cancellation of a listing's renewals in the transaction that takes it down. */
export async function cancelRenewals(tx: Tx, slug: string): Promise<void> {
  for (const { key, value: id } of await tx.getMany<string>(liveKeys(slug))) {
    if (id === null) continue;
    tx.delete(key);
    await queueOperation(tx, cancellationOf(id));
  }
}

/** The operation that cancels a renewal. */
export function cancellationOf(subscriptionId: string) {
  const task = { kind: "cancel_subscription", subscriptionId };
  return { id: `cancel-${subscriptionId}`, task };
}

/** Cancels a renewal, which no longer counts as live once this is queued. */
export const cancelSubscription: Performer<TaskOf<typeof cancellationOf>> = async (
  deps,
  { subscriptionId },
) => {
  const ended: Outcome = { done: true };
  try {
    const subscription = await deps.stripe.subscriptions.cancel(subscriptionId);
    return hasEnded(subscription) ? ended : unfinished("not_canceled", false);
  } catch (error) {
    // Stripe also answers "no such subscription" for a canceled one, so it is retrieved. If it is
    // really missing, it belongs to another account and goes on there.
    requireStripeError(error);
    const subscription = await deps.stripe.subscriptions.retrieve(subscriptionId);
    return hasEnded(subscription) ? ended : unfinished(failureCode(error), false);
  }
};

/** The keys with the live renewals of a listing: only some tiers renew. */
function liveKeys(slug: string): Deno.KvKey[] {
  return TIERS.flatMap(({ id, autoRenew }) =>
    autoRenew === null ? [] : [promotionKeys.byTier(slug, id)]
  );
}

/** The live renewals of a listing. */
export async function liveSubscriptions(
  kv: Pick<Tx, "getMany">,
  slug: string,
): Promise<StoredSubscription[]> {
  const live = await kv.getMany<string>(liveKeys(slug));
  const ids = live.flatMap((entry) => entry.value === null ? [] : [entry.value]);
  const subscriptions = await kv.getMany<StoredSubscription>(
    ids.map((id) => promotionKeys.subscription(id)),
  );
  return subscriptions.flatMap(({ value }) => value === null ? [] : [value]);
}

/**
 * Whether an order renews. Until it is paid, this is what was ordered. After that, it is true until
 * the renewal is canceled.
 */
export async function isRenewing(
  kv: Pick<Tx, "getMany">,
  { id, slug, status, autoRenew }: PromotionCheckout,
): Promise<boolean> {
  if (!autoRenew || status !== "completed") return autoRenew;
  const live = await liveSubscriptions(kv, slug);
  return live.some(({ checkoutId, ending }) => checkoutId === id && !ending);
}
