import type Stripe from "stripe";
import { findTier } from "../catalog/tiers.ts";
import { paths, withQuery } from "../urls.ts";
import type { PaymentDeps } from "./context.ts";
import { CURRENCY, dollars } from "./fees.ts";
import { FEE_NOTICE, SALES_FINAL_NOTICE } from "./notices.ts";
import type { BidCheckout, Checkout, PromotionCheckout } from "./schema.ts";

type Params = Stripe.Checkout.SessionCreateParams;

/** The metadata that links a session, its payment intent or its subscription to a checkout. */
function metadataOf(checkout: Checkout): Record<string, string> {
  return checkout.kind === "promotion"
    ? {
      kind: "promotion",
      slug: checkout.slug,
      tierId: checkout.tierId,
      orderId: checkout.id,
    }
    : {
      kind: "bid",
      slug: checkout.slug,
      auctionId: checkout.auctionId,
      bidId: checkout.id,
    };
}

/**
 * The id of the checkout that an object of Stripe belongs to, or null if the object is not ours.
 */
export function checkoutIdOf(metadata: Stripe.Metadata | null | undefined): string | null {
  return metadata?.orderId ?? metadata?.bidId ?? null;
}

/** Whether an object's metadata is exactly what we gave it. */
export function hasMetadataOf(checkout: Checkout, metadata: Stripe.Metadata | null): boolean {
  return Object.entries(metadataOf(checkout)).every(([key, value]) => metadata?.[key] === value);
}

/**
 * The parameters of a Checkout session. They depend on the record alone, because a repeated attempt
 * must ask for the same thing under its idempotency key. No customer is named: anyone may pay for
 * any listing, and whoever opens the link would see the customer's email and cards.
 */
export function sessionParams(checkout: Checkout, deps: Pick<PaymentDeps, "urls">): Params {
  return {
    adaptive_pricing: { enabled: false },
    client_reference_id: checkout.id,
    expires_at: Math.floor(checkout.expiresAt / 1000),
    metadata: metadataOf(checkout),
    ...(checkout.kind === "promotion"
      ? promotionParams(checkout, deps.urls.to)
      : bidParams(checkout, deps.urls.to)),
  };
}

function promotionParams(order: PromotionCheckout, to: (path: string) => string): Params {
  const tier = findTier(order.tierId)!;
  const recurring = order.autoRenew && tier.autoRenew !== null
    ? { interval: tier.autoRenew }
    : undefined;
  const metadata = metadataOf(order);
  return {
    line_items: lineItems(order, `${tier.name} promotion, ${tier.days} days`, recurring),
    success_url: to(withQuery(paths.checkout("paid"), { order: order.id })),
    cancel_url: to(
      withQuery(paths.checkout("cancelled"), {
        slug: order.slug,
        tierId: order.tierId,
        autoRenew: order.autoRenew ? "yes" : undefined,
      }),
    ),
    custom_text: { submit: { message: SALES_FINAL_NOTICE } },
    ...(recurring
      ? { mode: "subscription", subscription_data: { metadata } }
      : { mode: "payment", customer_creation: "always", payment_intent_data: { metadata } }),
  };
}

function bidParams(bid: BidCheckout, to: (path: string) => string): Params {
  // Where a link is expired under somebody's hands, Stripe only says that they are done or too late.
  const message = `Your card is authorized for ${dollars(bid.totalCents)}, not charged. The hold ` +
    "is released when you are outbid, and captured if you win. If the minimum rises above this bid " +
    "or bidding closes first, this page ends and nothing is held. " +
    `Bids are binding. ${SALES_FINAL_NOTICE}`;
  return {
    mode: "payment",
    allowed_payment_method_types: ["card"],
    line_items: lineItems(bid, `Front Row bid, ${bid.auctionId.slice(-10)}`),
    success_url: to(withQuery(paths.checkout("held"), { order: bid.id })),
    cancel_url: to(
      withQuery(paths.checkout("bid-cancelled"), { auction: bid.auctionId, slug: bid.slug }),
    ),
    custom_text: { submit: { message } },
    payment_intent_data: { capture_method: "manual", metadata: metadataOf(bid) },
  };
}

function lineItems(
  checkout: Checkout,
  name: string,
  recurring?: { interval: "week" | "month" },
): NonNullable<Params["line_items"]> {
  const item = (label: string, cents: number, description: string) => ({
    quantity: 1,
    price_data: {
      currency: CURRENCY,
      unit_amount: cents,
      product_data: { name: label, description },
      recurring,
    },
  });
  return [
    item(name, checkout.amountCents, `For the listing ${checkout.slug}`),
    item("Processing fee", checkout.feeCents, FEE_NOTICE),
  ];
}
