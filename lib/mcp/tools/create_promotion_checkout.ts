import { z } from "zod";
import { findTier, renewals, TIERS } from "../../catalog/tiers.ts";
import { charge, dollars } from "../../payments/fees.ts";
import { SALES_FINAL_NOTICE } from "../../payments/sale_terms.ts";
import { ORDER_LINK_NOTICE } from "../../promotions/offer.ts";
import { orderPromotion } from "../../promotions/orders.ts";
import { params } from "../params.ts";
import { defineTool, PAYS } from "../tool.ts";

const autoRenew = z.boolean().optional().describe(`Renew each ${renewals("id")}`);
const tierIds = TIERS.map(({ id }) => id);

export const createPromotionCheckout = defineTool({
  name: "create_promotion_checkout",
  title: "Get a promotion checkout link",
  description: "Creates a link where a human can pay. This call charges nothing. All sales " +
    "are final.",
  annotations: PAYS,
  input: z.strictObject({
    slug: params.projectSlug,
    tierId: z.enum(tierIds).describe("Tier id from get_promotion_options"),
    autoRenew,
  }),
  // An unknown tier has its own error code.
  accepts: z.strictObject({ slug: params.projectSlug, tierId: z.string(), autoRenew }),
  output: z.object({ checkoutUrl: z.string() }),
  async run({ deps, caller }, input) {
    const order = { input, caller, idempotencyKey: null };
    const { checkoutUrl } = await orderPromotion(deps, order);
    const { name, days, amountCents, autoRenew } = findTier(input.tierId)!;
    const renews = input.autoRenew ? `, renewed every ${autoRenew} until canceled` : "";
    return {
      data: { checkoutUrl },
      text:
        `${name} for ${input.slug}, ${days} days: ${
          dollars(charge(amountCents).totalCents)
        } including the fee${renews}. ` +
        `Give this link to a human to pay: <${checkoutUrl}>\n${ORDER_LINK_NOTICE} ${SALES_FINAL_NOTICE}`,
    };
  },
});
