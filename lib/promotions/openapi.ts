import { RATE_LIMITS } from "../limits.ts";
import type { Operations } from "../openapi/operation.ts";
import { CHECKOUT_EXAMPLE, CheckoutBody } from "../payments/schema.ts";
import { ORDER_LINK_NOTICE } from "./offer.ts";
import { REPORT_SIDE_DAYS } from "./report.ts";
import {
  PortalBody,
  PortalInput,
  PromoteBody,
  PromoteInput,
  PromotionReportBody,
} from "./schema.ts";

export const promotionOperations: Operations = {
  "GET /api/v1/promote": {
    operationId: "getPromotionOffer",
    summary: "Tiers with totals, and whether payments are open",
    responses: { 200: { description: "What you can buy, and how", schema: PromoteBody } },
  },
  "POST /api/v1/promote": {
    operationId: "promoteProject",
    summary: "Get a checkout link for a promotion",
    description: "A human pays at the link. The promotion starts when the payment is confirmed. " +
      `${ORDER_LINK_NOTICE} ` +
      `Up to ${RATE_LIMITS.promoteCheckouts} links an hour per network.`,
    idempotencyKey: true,
    body: { schema: PromoteInput, example: { slug: "inkwell", tierId: "boost-7" } },
    responses: {
      200: { description: "The payment link", schema: CheckoutBody, example: CHECKOUT_EXAMPLE },
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
  "GET /api/v1/projects/{slug}/promotion-report": {
    operationId: "getPromotionReport",
    summary: "How a project's promotions performed",
    description:
      `Needs the edit key. Covers up to ${REPORT_SIDE_DAYS} days before and after each promotion. Impressions are not tracked.`,
    editKey: true,
    unkept: true,
    responses: {
      200: { description: "Clicks and votes by kind of visitor", schema: PromotionReportBody },
    },
    errors: ["rate_limited"],
  },
  "POST /api/v1/billing/portal": {
    operationId: "openBillingPortal",
    summary: "Get a link to a listing's billing portal",
    description:
      "Needs the edit key. The portal shows one payer's saved cards, invoices and renewals: a payer with an " +
      "active renewal (preferably one that isn't canceled), or else the latest payer.",
    editKey: true,
    body: { schema: PortalInput, example: { slug: "inkwell" } },
    responses: {
      200: {
        description: "The link to the portal",
        schema: PortalBody,
        example: { ok: true, portalUrl: "https://billing.stripe.com/p/session/live_a1b2c3" },
      },
    },
    errors: ["rate_limited", "not_found", "payments_unconfigured", "stripe_error", "stripe_no_url"],
  },
};
