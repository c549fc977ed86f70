import { z } from "zod";
import { hasPerk } from "../../catalog/tiers.ts";
import { getPromoted } from "../../discovery/trending.ts";
import type { PublicListing } from "../../listings/schema.ts";
import { getPromotionOffer } from "../../promotions/offer.ts";
import { shownSwitches, whenListed } from "../../switches.ts";
import { paths } from "../../urls.ts";
import { CONTENT_TOKENS, jsonTokens } from "../budget.ts";
import { briefLine, fitting, ListingBrief, toBrief } from "../listing_text.ts";
import { noParams } from "../params.ts";
import { pricingLines, Tier } from "../promotion_text.ts";
import { defineTool, READS } from "../tool.ts";

export const whereToPromote = defineTool({
  name: "where_to_promote",
  title: "Where to promote a project",
  description: "How to list a project here for free, in one call, and what promotion costs.",
  annotations: READS,
  input: noParams,
  output: z.object({
    free: z.object({
      tool: z.string(),
      api: z.object({
        method: z.string(),
        url: z.string(),
        body: z.record(z.string(), z.string()),
      }),
      page: z.string(),
      paused: z.boolean().describe("True while new submissions are paused"),
    }),
    featured: z.array(ListingBrief).describe("Paid: the Front Row, then Spotlight"),
    promotion: z.looseObject({ paymentsOpen: z.boolean(), tiers: z.array(Tier) }),
  }),
  async run({ deps }) {
    const { env, urls } = deps;
    const offer = await getPromotionOffer(deps);
    const when = whenListed(await shownSwitches(deps));
    const free = {
      tool: "submit_project",
      api: {
        method: "POST",
        url: urls.to(paths.apiListings),
        body: {
          name: "Inkwell",
          url: "https://inkwell.example.com",
          tagline: "A notebook that answers back",
        },
      },
      page: urls.to(paths.submit),
      paused: when === null,
    };
    const intro = (free.paused ? "New submissions are paused right now. Try later. " : "") +
      `List it for free on ${env.siteName}, without an account. Call submit_project with name, url and tagline, or POST ` +
      `them to <${free.api.url}>. Humans can use <${free.page}>. ` +
      (when === null ? "" : `It goes ${when}. `) + "It is ranked only by votes, clicks and age.";
    const prices = pricingLines(offer);
    const left = CONTENT_TOKENS - jsonTokens({ free, promotion: offer, intro, prices });
    const featured = fitting(getPromoted(deps).filter(isFirst), left);
    return {
      data: { free, featured: featured.map(toBrief), promotion: offer },
      text: [
        intro,
        ...(featured.length === 0
          ? []
          : ["", "Now in the Front Row and Spotlight:", ...featured.map(briefLine)]),
        "",
        ...prices,
      ].join("\n"),
    };
  },
});

/** True for the Front Row and the tiers that buy first place in this response. */
function isFirst({ sponsored, promotion }: PublicListing): boolean {
  return sponsored || hasPerk(promotion?.tierId, "first");
}
