/** Renewals of promotions as Stripe tells of them: subscriptions, and the invoices of their periods. */
import type Stripe from "stripe";
import { HOUR_MS } from "../clock.ts";
import { promotionKeys } from "../promotions/keys.ts";
import { applyPaidOrder, applySubscription } from "../promotions/payments.ts";
import { hasEnded } from "../promotions/subscriptions.ts";
import type { StripeDeps } from "./context.ts";
import { dropDoubt, noteDoubt } from "./doubts.ts";
import { CURRENCY } from "./fees.ts";
import { type Cause, fetchObject, findCheckout, idOf, markSeen, paidSince } from "./objects.ts";
import type { PromotionCheckout } from "./schema.ts";
import { hasMetadataOf } from "./session_params.ts";

/**
 * For how long a promotion that renews runs on after the period that was paid for: Stripe collects
 * the next one about an hour after it has begun.
 */
export const COLLECTED_WITHIN_MS = 2 * HOUR_MS;

/** Applies a paid invoice: one period of a renewal. */
export async function applyInvoice(
  deps: StripeDeps,
  invoiceId: string,
  cause: Cause,
): Promise<void> {
  const invoice = await fetchObject(() => deps.stripe.invoices.retrieve(invoiceId));
  const details = invoice?.parent?.subscription_details;
  if (invoice === null || invoice.status !== "paid" || !details) return;
  const subscription = await fetchObject(() =>
    deps.stripe.subscriptions.retrieve(idOf(details.subscription))
  );
  if (subscription === null) return;
  const order = await findCheckout(deps, subscription.metadata);
  if (order?.kind !== "promotion") return;
  const fits = invoice.total === order.totalCents && invoice.currency === CURRENCY &&
    order.autoRenew && hasMetadataOf(order, subscription.metadata);
  if (!fits) return await noteDoubt(deps, { id: invoiceId, object: invoiceId, checkout: order });
  await dropDoubt(deps, invoiceId);
  await applyRival(deps, order, subscription);
  await applyPaidOrder(deps, {
    order,
    paidId: invoiceId,
    paidAt: paidSince(invoice.status_transitions.paid_at ?? invoice.created, cause),
    periodEnd: periodEndOf(invoice),
    customerId: null,
    subscription: toSeen(subscription),
    mark: (tx) => markSeen(tx, cause, deps.clock.now()),
  });
}

/** Applies the state of a subscription: whether it renews. */
export async function applySubscriptionId(
  deps: StripeDeps,
  subscriptionId: string,
  cause: Cause,
): Promise<void> {
  const subscription = await fetchObject(() => deps.stripe.subscriptions.retrieve(subscriptionId));
  if (subscription === null) return;
  const order = await findCheckout(deps, subscription.metadata);
  if (order?.kind !== "promotion" || !order.autoRenew) return;
  if (!hasMetadataOf(order, subscription.metadata)) {
    return await noteDoubt(deps, { id: order.id, object: subscriptionId, checkout: order });
  }
  await dropDoubt(deps, order.id);
  await applyRival(deps, order, subscription);
  await applySubscription(deps, {
    order,
    subscription: toSeen(subscription),
    mark: (tx) => markSeen(tx, cause, deps.clock.now()),
  });
}

/**
 * Notes first whether the renewal that runs for the same listing and tier has ended, if it is not
 * this one: of two, the later is cancelled, and the news of an end may come after it.
 */
async function applyRival(
  deps: StripeDeps,
  { slug, tierId }: PromotionCheckout,
  subscription: Stripe.Subscription,
): Promise<void> {
  const { value: rival } = await deps.store.get<string>(promotionKeys.byTier(slug, tierId));
  if (rival === null || rival === subscription.id || hasEnded(subscription)) return;
  await applySubscriptionId(deps, rival, null);
}

function toSeen(subscription: Stripe.Subscription) {
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer),
    canceled: hasEnded(subscription),
    ending: subscription.cancel_at_period_end || subscription.cancel_at !== null,
  };
}

/**
 * Until when (ms) an invoice keeps a promotion running: until the end of the period that it pays for,
 * plus the time in which the next one is collected. The period is that of its lines; lines of a
 * proration have none. Without any line it is long past, and the order then gets the tier's days alone.
 */
function periodEndOf(invoice: Stripe.Invoice): number {
  const ends = invoice.lines.data
    .filter((line) => line.parent?.subscription_item_details?.proration === false)
    .map((line) => line.period.end * 1000);
  return Math.max(0, ...ends) + COLLECTED_WITHIN_MS;
}
