import { z } from "zod";
import { STARTING_BID_CENTS } from "../auctions/calendar.ts";
import { dollars } from "../payments/fees.ts";
import { FEE_NOTICE, SALES_FINAL_NOTICE } from "../payments/sale_terms.ts";
import type { PromoteBody, PublicTier } from "../promotions/schema.ts";

const STARTING_BID = dollars(STARTING_BID_CENTS);

/** A tier in a tool's response. */
export const Tier = z.looseObject({
  id: z.string(),
  name: z.string(),
  days: z.int(),
  totalCents: z.int(),
  total: z.string(),
  autoRenew: z.string().nullable(),
});

/** A tier as one item of a Markdown list. */
export function tierLine(tier: PublicTier): string {
  const { id, name, days, price, fee, total, autoRenew, perks } = tier;
  const renews = autoRenew === null ? "" : `, once or renewed every ${autoRenew}`;
  return `- ${name} (${id}), ${days} days${renews}: ${price} + ${fee} fee = ${total}. ${
    perks.join("; ")
  }`;
}

/** The lines on what can be bought. */
export function pricingLines(
  { paymentsOpen, tiers }: Pick<PromoteBody, "paymentsOpen" | "tiers">,
): string[] {
  return [
    paymentsOpen ? "Promotions:" : "Promotions (payments are closed right now):",
    ...tiers.map(tierLine),
    `- Front Row (sponsored): first place for a week, by auction from ${STARTING_BID}. See list_auctions.`,
    `${FEE_NOTICE} ${SALES_FINAL_NOTICE}`,
  ];
}
