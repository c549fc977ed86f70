import { PERIOD_MS, STARTING_BID_CENTS } from "../auctions/calendar.ts";
import { DAY_MS } from "../clock.ts";
import { arePaymentsOpen } from "../payments/availability.ts";
import type { Deps } from "../payments/deps.ts";
import { dollars } from "../payments/fees.ts";
import { FEE_NOTICE, SALES_FINAL_NOTICE } from "../payments/sale_terms.ts";
import { publicTiers } from "../promotions/offer.ts";
import type { CurrentPricing } from "./schema.ts";

/** What can be bought now and at what price, as stated in every response. */
export async function getCurrentPricing(deps: Deps): Promise<CurrentPricing> {
  return {
    paymentsOpen: await arePaymentsOpen(deps),
    tiers: publicTiers(),
    frontRow: [{
      id: "front-row",
      name: "Front Row",
      periodDays: PERIOD_MS / DAY_MS,
      startingBid: dollars(STARTING_BID_CENTS),
    }],
    feeNotice: FEE_NOTICE,
    salesFinalNotice: SALES_FINAL_NOTICE,
  };
}
