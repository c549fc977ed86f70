import { MAX_FEATURED_SLOTS, TIERS } from "../catalog/tiers.ts";
import { HOUR_MS } from "../clock.ts";
import type { Deps as ListingDeps } from "../listings/deps.ts";
import { arePaymentsOpen } from "../payments/availability.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";
import { charge, CURRENCY, dollars } from "../payments/fees.ts";
import { FEE_NOTICE, SALES_FINAL_NOTICE } from "../payments/sale_terms.ts";
import { paths } from "../urls.ts";
import { featuredSlugs } from "./featured.ts";
import type { PromoteBody, PublicTier } from "./schema.ts";

/** How long an order's link lives: just under Stripe's maximum of 24 hours. */
export const ORDER_LINK_MS = 23 * HOUR_MS;

/** Shown with an order's link. */
export const ORDER_LINK_NOTICE = `The link expires after ${ORDER_LINK_MS / HOUR_MS} hours.`;

/** How to buy a promotion, as stated by the API and MCP. */
export const HOW_TO_PROMOTE =
  "`POST /api/v1/promote` with `{slug, tierId, autoRenew?}`, or call `create_promotion_checkout` over MCP. " +
  "The response includes `checkoutUrl`, which a human opens to pay. The promotion starts when the " +
  "payment provider confirms the payment. Buying again while promoted adds time. Promotion never " +
  "changes the hot, new or top order. The one sponsored spot, the Front Row, is auctioned " +
  "weekly: `GET /api/v1/auctions`, or `list_auctions` over MCP.";

/** Every tier with its prices, fee and total. */
export function publicTiers(): PublicTier[] {
  return TIERS.map(({ id, name, days, amountCents, autoRenew, perks }) => {
    const { feeCents, totalCents } = charge(amountCents);
    return {
      id,
      name,
      days,
      currency: CURRENCY,
      amountCents,
      feeCents,
      totalCents,
      price: dollars(amountCents),
      fee: dollars(feeCents),
      total: dollars(totalCents),
      autoRenew,
      perks: [...perks],
    };
  });
}

/** The promotions on offer, whether they can be bought now, and how. */
export async function getPromotionOffer(deps: ListingDeps & PaymentDeps): Promise<PromoteBody> {
  const { catalogue, clock, urls } = deps;
  return {
    paymentsOpen: await arePaymentsOpen(deps),
    tiers: publicTiers(),
    notice: SALES_FINAL_NOTICE,
    feeNotice: FEE_NOTICE,
    maxFeaturedSlots: MAX_FEATURED_SLOTS,
    featuredNow: featuredSlugs(catalogue.promotions, clock.now()).length,
    howTo: HOW_TO_PROMOTE,
    terms: urls.to(paths.terms),
  };
}
