import { RATE_LIMITS } from "../limits.ts";
import type { Operation } from "../openapi/operation.ts";
import { CHECKOUT_EXAMPLE, CheckoutBody } from "../payments/schema.ts";
import { BID_LINK_NOTICE } from "./bid_links.ts";
import { AuctionBody, AuctionsBody, BidInput } from "./schema.ts";

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
];
