import { findTier } from "../catalog/tiers.ts";
import { DAY_MS, HOUR_MS } from "../clock.ts";
import { isTakenDown } from "../listings/service.ts";
import type { StripeDeps } from "../payments/deps.ts";
import { dropDoubt } from "../payments/doubts.ts";
import { applyUnpaid } from "../payments/events.ts";
import type { CompleteSession, PaymentKind } from "../payments/kinds.ts";
import { idOf, paidSince } from "../payments/objects.ts";
import { SALES_FINAL_NOTICE } from "../payments/sale_terms.ts";
import { lineItems } from "../payments/session_params.ts";
import { paths, withQuery } from "../urls.ts";
import { promotionKeys } from "./keys.ts";
import { ORDER_LINK_MS } from "./offer.ts";
import { applyOrderNews } from "./order_news.ts";
import {
  applyInvoice,
  applySubscription,
  reconcileInvoices,
  reconcileSubscriptions,
} from "./renewals.ts";
import type { PromotionCheckout } from "./schema.ts";
import { cancelSubscription } from "./subscriptions.ts";

/** What payments must know about promotion orders. */
export const promotionKind: PaymentKind<PromotionCheckout> = {
  kind: "promotion",
  idField: "orderId",
  linkMs: ORDER_LINK_MS,
  metadata: ({ tierId, id }) => ({ tierId, orderId: id }),
  session(order, { to, metadata }) {
    const { id, slug, tierId, autoRenew } = order;
    const tier = findTier(tierId)!;
    const recurring = autoRenew && tier.autoRenew !== null
      ? { interval: tier.autoRenew }
      : undefined;
    const cancelled = withQuery(paths.checkout("cancelled"), {
      slug,
      tierId,
      autoRenew: autoRenew ? "yes" : undefined,
    });
    return {
      line_items: lineItems(order, `${tier.name} promotion, ${tier.days} days`, recurring),
      success_url: to(withQuery(paths.checkout("paid"), { order: id })),
      cancel_url: to(cancelled),
      custom_text: { submit: { message: SALES_FINAL_NOTICE } },
      ...(recurring
        ? { mode: "subscription", subscription_data: { metadata } }
        : { mode: "payment", customer_creation: "always", payment_intent_data: { metadata } }),
    };
  },
  isUseless: (kv, { slug }) => isTakenDown(kv, slug),
  applyComplete,
  applies: { invoice: applyInvoice, subscription: applySubscription },
  performers: { cancel_subscription: cancelSubscription },
  awaited: promotionKeys.allByTier,
  reconciles: [
    { name: "invoices", every: HOUR_MS, run: reconcileInvoices },
    { name: "subscriptions", every: DAY_MS, run: reconcileSubscriptions },
  ],
};

/** Grants what was paid for once, and records a renewal. */
async function applyComplete(
  deps: StripeDeps,
  { checkout, session, cause }: CompleteSession<PromotionCheckout>,
): Promise<void> {
  // Renewals get their time from invoices; granting it here would count the first period twice.
  if (session.mode !== "payment") {
    if (session.subscription === null) return;
    return await applySubscription(deps, idOf(session.subscription), cause);
  }
  await dropDoubt(deps, checkout.id);
  if (session.payment_status !== "paid") {
    return await applyUnpaid(deps, { checkout, session, cause });
  }
  const customerId = session.customer === null ? undefined : idOf(session.customer);
  const paid = { id: session.id, at: paidSince(session.created, cause), customerId };
  await applyOrderNews(deps, { order: checkout, cause, paid });
}
