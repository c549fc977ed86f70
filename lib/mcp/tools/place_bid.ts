import { z } from "zod";
import { BID_LINK_NOTICE } from "../../auctions/bid_links.ts";
import { placeBid } from "../../auctions/bids.ts";
import { BidInput, parseBid } from "../../auctions/schema.ts";
import { charge, dollars, MAX_AMOUNT_CENTS } from "../../payments/fees.ts";
import { SALES_FINAL_NOTICE } from "../../payments/sale_terms.ts";
import { params } from "../params.ts";
import { defineTool, PAYS } from "../tool.ts";

const auctionId = z.string().min(1).max(40).describe("Id of an open auction, from list_auctions");

const Bid = z.strictObject({
  auctionId,
  slug: params.projectSlug,
  amountCents: BidInput.shape.amountCents,
});

export const placeBidTool = defineTool({
  name: "place_bid",
  title: "Bid on the Front Row",
  description:
    "Starts a binding bid: returns a link where a human authorizes a card. The bid counts " +
    "once the hold is confirmed.",
  annotations: PAYS,
  input: z.strictObject({
    auctionId,
    slug: params.projectSlug,
    amountCents: z.int().min(1).max(MAX_AMOUNT_CENTS)
      .describe("US cents before the fee, at least minNextBidCents"),
  }),
  // Checked in `run`, since the amount's rules have error codes of their own.
  accepts: z.looseObject({}),
  output: z.object({ checkoutUrl: z.string() }),
  async run({ deps, caller }, args) {
    const bid = parseBid(Bid, args, caller.problems);
    const { checkoutUrl } = await placeBid(deps, { ...bid, caller, idempotencyKey: null });
    const sum = charge(bid.amountCents);
    return {
      data: { checkoutUrl },
      text:
        `${dollars(sum.amountCents)} + ${dollars(sum.feeCents)} fee = ${
          dollars(sum.totalCents)
        } for ` +
        `${bid.slug}. Give this link to a human to authorize the card: <${checkoutUrl}>\n` +
        `${BID_LINK_NOTICE} Bids are binding. ${SALES_FINAL_NOTICE}`,
    };
  },
});
