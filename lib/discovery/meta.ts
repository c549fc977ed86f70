import { siteLook } from "../ai_of_the_day/look.ts";
import { accents } from "../catalog/accents.ts";
import { categories } from "../catalog/categories.ts";
import { pricingSlug } from "../catalog/pricing.ts";
import { siteThemes } from "../catalog/themes.ts";
import { MAX_FEATURED_SLOTS } from "../catalog/tiers.ts";
import { tools } from "../catalog/tools.ts";
import { getCurrentPricing } from "../help/pricing.ts";
import { LIMITS, RATE_LIMITS } from "../limits.ts";
import { HOW_TO_PROMOTE } from "../promotions/offer.ts";
import { sortId } from "../read_model/sorts.ts";
import { isDark, shownPalette } from "../themes/stylesheet.ts";
import { paths } from "../urls.ts";
import type { Deps } from "./deps.ts";
import { type Meta, MetaBody } from "./schema.ts";

/** The vocabularies, limits and prices that a client needs to fill in a form or a query. */
export async function getMeta(deps: Deps): Promise<Meta> {
  const { paymentsOpen, tiers, feeNotice, salesFinalNotice } = await getCurrentPricing(deps);
  const { daily } = await siteLook(deps);
  return {
    aiTools: [...tools],
    categories: categories.map((category) => ({
      ...category,
      page: deps.urls.to(paths.category(category.slug)),
    })),
    pricingModels: [...pricingSlug.options],
    listingAccents: [...accents],
    siteThemes: siteThemes.map((theme) => {
      const shown = shownPalette(theme, daily);
      const swatch = [shown.bg, shown.accent];
      return { id: theme.id, name: theme.name, swatch, dark: isDark(shown) };
    }),
    promotion: {
      paymentsOpen,
      salesFinalNotice,
      feeNotice,
      maxFeaturedSlots: MAX_FEATURED_SLOTS,
      howToBuy: HOW_TO_PROMOTE,
      tiers,
    },
    limits: MetaBody.shape.limits.parse({
      ...LIMITS,
      submissionsPerHour: RATE_LIMITS.submissions,
      votesPerHour: RATE_LIMITS.votes,
      promoteCheckoutsPerHour: RATE_LIMITS.promoteCheckouts,
    }),
    sorts: [...sortId.options],
  };
}
