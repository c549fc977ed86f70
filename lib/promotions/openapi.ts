import { RATE_LIMITS } from "../limits.ts";
import type { Operation } from "../openapi/operation.ts";
import { ORDER_LINK_NOTICE } from "../payments/links.ts";
import { CHECKOUT_EXAMPLE, CheckoutBody } from "../payments/schema.ts";
import { PromoteBody, PromoteInput } from "./schema.ts";

/** Operations of promotions. */
export const promotionOperations: Operation[] = [
  {
    method: "get",
    path: "/api/v1/promote",
    operationId: "getPromotionOffer",
    tag: "Promotion",
    summary: "Tiers with totals, and whether they can be bought now",
    responses: { 200: { description: "What can be bought, and how", schema: PromoteBody } },
  },
  {
    method: "post",
    path: "/api/v1/promote",
    operationId: "promoteProject",
    tag: "Promotion",
    summary: "Make a checkout link for a promotion",
    description:
      "A human pays under the link; the promotion starts when the payment is confirmed. " +
      `${ORDER_LINK_NOTICE} ` +
      `At most ${RATE_LIMITS.promoteCheckouts} links an hour from one network.`,
    idempotencyKey: true,
    body: { schema: PromoteInput, example: { slug: "inkwell", tierId: "boost-7" } },
    responses: {
      200: { description: "The link to pay", schema: CheckoutBody, example: CHECKOUT_EXAMPLE },
    },
    errors: [
      "rate_limited",
      "unknown_tier",
      "not_found",
      "payments_disabled",
      "payments_unconfigured",
      "stripe_error",
      "stripe_no_url",
    ],
  },
];
