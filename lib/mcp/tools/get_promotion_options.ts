import { z } from "zod";
import { getPromotionOffer } from "../../promotions/offer.ts";
import { noParams } from "../params.ts";
import { pricingLines, Tier } from "../promotion_text.ts";
import { defineTool, READS } from "../tool.ts";

export const getPromotionOptions = defineTool({
  name: "get_promotion_options",
  title: "Promotion options",
  description:
    "Promotion tiers with prices, fees and totals. Get the payment link with create_promotion_checkout.",
  annotations: READS,
  input: noParams,
  output: z.looseObject({
    paymentsOpen: z.boolean(),
    tiers: z.array(Tier),
    notice: z.string(),
    feeNotice: z.string(),
  }),
  async run({ deps }) {
    const offer = await getPromotionOffer(deps);
    return { data: offer, text: [...pricingLines(offer), offer.howTo].join("\n") };
  },
});
