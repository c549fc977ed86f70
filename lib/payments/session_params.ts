import type Stripe from "stripe";
import type { Deps } from "./deps.ts";
import { CURRENCY } from "./fees.ts";
import { kindOf, metadataOf } from "./kinds.ts";
import { FEE_NOTICE } from "./sale_terms.ts";
import type { Checkout } from "./schema.ts";

type Params = Stripe.Checkout.SessionCreateParams;

/**
 * The parameters of a Checkout session. They depend only on the record, because a retry under the
 * same idempotency key must send the same request. No customer is named: anyone may pay for any
 * listing, and anyone with the link would see the customer's email and cards.
 */
export function sessionParams(
  deps: Pick<Deps, "paymentKinds" | "urls">,
  checkout: Checkout,
): Params {
  const metadata = metadataOf(deps, checkout);
  return {
    adaptive_pricing: { enabled: false },
    client_reference_id: checkout.id,
    expires_at: Math.floor(checkout.expiresAt / 1000),
    metadata,
    ...kindOf(deps, checkout).session(checkout, { to: deps.urls.to, metadata }),
  };
}

/** A session's line items: the product under its name, and the fee. */
export function lineItems(
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
    item(name, checkout.amountCents, `For ${checkout.slug}`),
    item("Processing fee", checkout.feeCents, FEE_NOTICE),
  ];
}
