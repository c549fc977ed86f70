import { z } from "zod";
import { RATE_LIMITS } from "../limits.ts";
import type { Operation } from "../openapi/types.ts";
import { AuctionBody, AuctionsBody, BidInput } from "../auctions/schema.ts";
import { PromoteBody, PromoteInput } from "../promotions/schema.ts";
import { BID_LINK_NOTICE, ORDER_LINK_NOTICE } from "./links.ts";
import { CheckoutBody, PortalBody, PortalInput } from "./schema.ts";

const checkoutExample = {
  ok: true,
  checkoutUrl: "https://checkout.stripe.com/c/pay/cs_live_a1b2c3",
};

/** Operations of promotions and the billing portal. */
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
      200: { description: "The link to pay", schema: CheckoutBody, example: checkoutExample },
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
  {
    method: "post",
    path: "/api/v1/billing/portal",
    operationId: "openBillingPortal",
    tag: "Promotion",
    summary: "Link to the billing portal of a listing",
    description:
      "For whoever holds the edit key: saved cards, invoices, cancelling a renewal. It opens for one payer: " +
      "of the live renewal (of two, one that is not cancelled yet), else of the latest payment.",
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
];

/** Operations of the Front Row auction. */
export const auctionOperations: Operation[] = [
  {
    method: "get",
    path: "/api/v1/auctions",
    operationId: "listAuctions",
    tag: "Auctions",
    summary: "Front Row holder, open and upcoming auctions, past winners, rules",
    responses: { 200: { description: "Every auction that matters now", schema: AuctionsBody } },
  },
  {
    method: "get",
    path: "/api/v1/auctions/{id}",
    operationId: "getAuction",
    tag: "Auctions",
    summary: "One auction with its public bid history",
    params: { id: "front-row- and the first day of the week, such as front-row-2026-11-23" },
    responses: { 200: { description: "The auction", schema: AuctionBody } },
  },
  {
    method: "post",
    path: "/api/v1/auctions/{id}/bids",
    operationId: "placeBid",
    tag: "Auctions",
    summary: "Make a link under which a human authorizes the card for a bid",
    description:
      "Binding: the card is held for the bid and the fee, and captured if the bid wins. " +
      "The bid counts once the hold is confirmed, if it still reaches the minimum then. " +
      `${BID_LINK_NOTICE} ` +
      `At most ${RATE_LIMITS.bids} links an hour from one network.`,
    params: { id: "front-row- and the first day of the week, such as front-row-2026-11-23" },
    agentName: true,
    idempotencyKey: true,
    body: { schema: BidInput, example: { slug: "inkwell", amountCents: 1500 } },
    responses: {
      201: {
        description: "The link for the card hold",
        schema: CheckoutBody,
        example: checkoutExample,
      },
    },
    errors: [
      "rate_limited",
      "bid_too_low",
      "invalid_amount",
      "amount_too_high",
      "auction_not_open",
      "busy",
      "payments_disabled",
      "stripe_error",
      "stripe_no_url",
    ],
  },
];

/** What the payment provider calls. */
export const webhookOperations: Operation[] = [
  {
    method: "post",
    path: "/api/stripe/webhook",
    operationId: "receiveStripeWebhook",
    tag: "Payments",
    summary: "Events of Stripe, signed",
    body: { schema: z.looseObject({}), example: { id: "evt_1", object: "event" } },
    responses: {
      200: {
        description: "Taken in, or of no interest",
        schema: z.object({ ok: z.literal(true) }).meta({ id: "WebhookTaken" }),
      },
    },
    errors: ["payments_unconfigured", "busy", "stripe_error"],
  },
];
