/** Promotion renewals as reported by Stripe: subscriptions, and the invoices for their periods. */
import type Stripe from "stripe";
import { DAY_MS, HOUR_MS } from "../clock.ts";
import { listValues } from "../kv/ranges.ts";
import type { StripeDeps } from "../payments/deps.ts";
import { dropDoubt, isLeftAlone, noteDoubt } from "../payments/doubts.ts";
import { CURRENCY } from "../payments/fees.ts";
import { hasMetadataOf } from "../payments/kinds.ts";
import { type Cause, fetchObject, findCheckout, idOf, paidSince } from "../payments/objects.ts";
import { forEach } from "../payments/reconcile.ts";
import { promotionKeys } from "./keys.ts";
import { applyOrderNews } from "./order_news.ts";
import type { PromotionCheckout } from "./schema.ts";
import { hasEnded } from "./subscriptions.ts";

/** Stripe tries to collect a renewal for up to two months after creating the invoice. */
const INVOICE_WINDOW_MS = 65 * DAY_MS;

/**
 * How long a renewing promotion runs past its paid period: Stripe collects the next payment about
 * an hour after the next period begins.
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
  const order = await findCheckout<PromotionCheckout>(deps, subscription.metadata, "promotion");
  if (order === null) return;
  const fits = invoice.total === order.totalCents && invoice.currency === CURRENCY &&
    order.autoRenew && hasMetadataOf(deps, order, subscription.metadata);
  if (!fits) return await noteDoubt(deps, { id: invoiceId, object: invoiceId, checkout: order });
  await dropDoubt(deps, invoiceId);
  await applyRival(deps, order, subscription);
  const at = paidSince(invoice.status_transitions.paid_at ?? invoice.created, cause);
  const paid = { id: invoiceId, at, periodEnd: periodEndOf(invoice) };
  await applyOrderNews(deps, { order, cause, paid, subscription });
}

/** Applies the state of a subscription: whether it renews. */
export async function applySubscription(
  deps: StripeDeps,
  subscriptionId: string,
  cause: Cause,
): Promise<void> {
  const subscription = await fetchObject(() => deps.stripe.subscriptions.retrieve(subscriptionId));
  if (subscription === null) return;
  const order = await findCheckout<PromotionCheckout>(deps, subscription.metadata, "promotion");
  if (!order?.autoRenew) return;
  if (!hasMetadataOf(deps, order, subscription.metadata)) {
    return await noteDoubt(deps, { id: order.id, object: subscriptionId, checkout: order });
  }
  await dropDoubt(deps, order.id);
  await applyRival(deps, order, subscription);
  await applyOrderNews(deps, { order, cause, subscription });
}

/**
 * First records whether the current renewal for the same listing and tier has ended, if it is not
 * this one. Otherwise this one could be canceled as the second of two, since the first one's end
 * may be reported late.
 */
async function applyRival(
  deps: StripeDeps,
  { slug, tierId }: PromotionCheckout,
  subscription: Stripe.Subscription,
): Promise<void> {
  const { value: rival } = await deps.store.get<string>(promotionKeys.byTier(slug, tierId));
  if (rival === null || rival === subscription.id || hasEnded(subscription)) return;
  await applySubscription(deps, rival, null);
}

/**
 * When the promotion time from an invoice ends (ms): the end of the paid period plus the time to
 * collect the next payment. The period comes from the invoice's lines, except proration lines.
 * Without any such line, it is long past, so the order gets only the tier's days.
 */
function periodEndOf(invoice: Stripe.Invoice): number {
  const ends = invoice.lines.data
    .filter((line) => line.parent?.subscription_item_details?.proration === false)
    .map((line) => line.period.end * 1000);
  return Math.max(0, ...ends) + COLLECTED_WITHIN_MS;
}

/** Grants the paid periods of renewals. */
export async function reconcileInvoices(
  deps: StripeDeps,
  since: number,
): Promise<void> {
  const invoices = deps.stripe.invoices.list({
    status: "paid",
    created: { gte: Math.floor((since - INVOICE_WINDOW_MS) / 1000) },
    limit: 100,
  });
  await forEach(invoices, async (invoice) => {
    const details = invoice.parent?.subscription_details;
    if (!details) return;
    const granted = await deps.store.get(promotionKeys.grant(invoice.id));
    if (granted.value !== null || await isLeftAlone(deps, invoice.id)) return;
    // Other sellers may use the same Stripe account: we do not fetch their invoices.
    const { metadata } = details;
    if (metadata !== null && await findCheckout(deps, metadata) === null) return;
    await applyInvoice(deps, invoice.id, null);
  });
}

/** Records renewals that ended at Stripe. */
export async function reconcileSubscriptions(deps: StripeDeps): Promise<void> {
  const live = await listValues<string>(deps.store, promotionKeys.allByTier);
  await forEach(live, (id) => applySubscription(deps, id, null));
}
