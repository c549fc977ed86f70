import { RATE_LIMITS } from "../limits.ts";
import type { Operations } from "../openapi/operation.ts";
import { CHECKOUT_EXAMPLE, CheckoutBody } from "../payments/schema.ts";
import { BID_LINK_NOTICE } from "./bid_links.ts";
import { AuctionBody, AuctionsBody, BidInput } from "./schema.ts";

export const auctionOperations: Operations = {
  "GET /api/v1/auctions": {
    operationId: "listAuctions",
    summary: "Front Row holder, open and upcoming auctions, past winners, rules",
    responses: { 200: { description: "Current and upcoming auctions", schema: AuctionsBody } },
  },
  "GET /api/v1/auctions/{id}": {
    operationId: "getAuction",
    summary: "One auction with its public bid history",
    params: { id: "front-row- plus the first day of the week, such as front-row-2026-11-23" },
    responses: { 200: { description: "The auction", schema: AuctionBody } },
  },
  "POST /api/v1/auctions/{id}/bids": {
    operationId: "placeBid",
    summary: "Get a link where a human authorizes a card for a bid",
    description:
      "Bids are binding. The card is held for the bid plus the fee, and charged if the bid wins. " +
      "The bid counts once the hold is confirmed, provided it still meets the minimum. " +
      `${BID_LINK_NOTICE} ` +
      `Up to ${RATE_LIMITS.bids} links an hour per network.`,
    params: { id: "front-row- plus the first day of the week, such as front-row-2026-11-23" },
    agentName: true,
    idempotencyKey: true,
    body: { schema: BidInput, example: { slug: "inkwell", amountCents: 1500 } },
    responses: {
      201: {
        description: "The link for the card hold",
        schema: CheckoutBody,
        example: CHECKOUT_EXAMPLE,
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
};
