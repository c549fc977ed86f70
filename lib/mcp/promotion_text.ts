import { z } from "zod";
import type { PublicTier } from "../promotions/schema.ts";

/** A tier as tools answer it. */
export const Tier = z.looseObject({
  id: z.string(),
  name: z.string(),
  days: z.int(),
  totalCents: z.int(),
  total: z.string(),
  autoRenew: z.string().nullable(),
});

/** A tier as one item of a Markdown list. */
export function tierLine({ id, name, days, price, fee, total, perks }: PublicTier): string {
  return `- ${name} (${id}), ${days} days: ${price} + ${fee} fee = ${total}. ${perks.join("; ")}`;
}

/** What can be bought, in words. */
export function pricingLines(
  pricing: {
    paymentsOpen: boolean;
    tiers: PublicTier[];
    feeNotice: string;
    salesFinalNotice: string;
  },
): string[] {
  return [
    pricing.paymentsOpen ? "Promotions:" : "Promotions (payments are not open now):",
    ...pricing.tiers.map(tierLine),
    `${pricing.feeNotice} ${pricing.salesFinalNotice}`,
  ];
}
