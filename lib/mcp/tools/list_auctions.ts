import { z } from "zod";
import type { PublicAuction } from "../../auctions/schema.ts";
import { listAuctions } from "../../auctions/service.ts";
import { boldMarkdown } from "../../text/escape.ts";
import { ListingBrief, toBrief } from "../listing_text.ts";
import { noParams } from "../params.ts";
import { defineTool, READS } from "../tool.ts";

/** How many past winners the tool lists. */
const PAST_SHOWN = 5;

const Auction = z.looseObject({
  id: z.string(),
  status: z.string(),
  closesAt: z.string(),
  minNextBidCents: z.int(),
});

export const listAuctionsTool = defineTool({
  name: "list_auctions",
  title: "Front Row auctions",
  description:
    "The Front Row holder, open and upcoming auctions, past winners and rules. Bid with place_bid.",
  annotations: READS,
  input: noParams,
  output: z.object({
    frontRow: ListingBrief.nullable(),
    paymentsOpen: z.boolean(),
    open: z.array(Auction),
    closing: z.array(Auction),
    upcoming: z.array(Auction),
    nextOpening: z.object({ id: z.string(), opensAt: z.string() }),
    pastWinners: z.array(z.looseObject({ id: z.string(), slug: z.string() })),
    rules: z.array(z.string()),
    feeNotice: z.string(),
  }),
  async run({ deps }) {
    const auctions = await listAuctions(deps);
    const { frontRow, paymentsOpen, open, closing, upcoming, rules, feeNotice } = auctions;
    const pastWinners = auctions.pastWinners.slice(0, PAST_SHOWN);
    return {
      data: { ...auctions, frontRow: frontRow && toBrief(frontRow), pastWinners },
      text: [
        frontRow === null
          ? "The Front Row is empty right now."
          : `Front Row (sponsored): ${boldMarkdown(frontRow.name)} <${frontRow.page}>`,
        ...(paymentsOpen ? [] : ["Payments are closed right now."]),
        ...open.map(auctionLine),
        ...closing.map(({ id, startsAt }) => `- ${id}: closed, its week starts ${startsAt}`),
        `Bidding opens for ${upcoming.map(({ id, opensAt }) => `${id} at ${opensAt}`).join(", ")}.`,
        ...pastWinners.map(({ id, name, amount }) =>
          `- ${boldMarkdown(name)} won ${id} for ${amount}`
        ),
        ...rules.map((rule) => `- ${rule}`),
        feeNotice,
      ].join("\n"),
    };
  },
});

function auctionLine(auction: PublicAuction): string {
  const { id, name, highBid, highBidder, closesAt } = auction;
  const { minNextBid, minNextBidCents, minNextTotal } = auction;
  const total = minNextTotal === null ? "" : `, ${minNextTotal} including the fee`;
  const high = highBid === null
    ? "no high bid yet"
    : `high bid ${highBid}${highBidder === null ? "" : ` by ${boldMarkdown(highBidder.name)}`}`;
  return `- ${id} (${name}): ${high}, minimum next bid ${minNextBid} (${minNextBidCents} cents${total}), closes ${closesAt}`;
}
