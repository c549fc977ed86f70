import { z } from "zod";
import { pricingSlug } from "../catalog/pricing.ts";
import { siteThemeId } from "../catalog/themes.ts";
import { CurrentPricing } from "../help/schema.ts";
import { queryInt, queryLimit } from "../http/input.ts";
import { LOG_ID_LENGTH } from "../kv/log_id.ts";
import { LIMITS } from "../limits.ts";
import { PublicListing } from "../listings/schema.ts";
import { IgnoredParameters } from "../openapi/shapes.ts";
import { pollWindow, Standing } from "../poll/schema.ts";
import { PublicTier } from "../promotions/schema.ts";
import { sortId } from "../read_model/sorts.ts";
import { PublicSkill } from "../skills/schema.ts";

const count = z.int().min(0);
const ok = z.literal(true);

/** The query for trending listings. */
export const TrendingQuery = z.object({
  limit: queryInt({ min: 1, max: LIMITS.trendingMax, default: LIMITS.trendingDefault }),
});

const trending = {
  frontRow: PublicListing.nullable().describe("Sponsored: this week's auction winner"),
  promoted: z.array(PublicListing).describe("Paid: the Front Row first, then by tier"),
  hot: z.array(PublicListing),
  new: z.array(PublicListing),
  gems: z.array(PublicListing),
};

/** `GET /api/v1/trending`. */
export const TrendingBody = z.object({ ok, ...trending }).meta({ id: "Trending" });
export type Trending = Omit<z.output<typeof TrendingBody>, "ok">;

/** A listing that is gaining votes. */
const RisingListing = PublicListing.extend({
  votes24h: z.int().min(1).describe("Votes in the last 24 hours"),
}).meta({ id: "RisingProject" });

/** `GET /api/v1/trending/full`. */
export const FullTrendingBody = z.object({
  ok,
  rising: z.array(RisingListing).describe("Most votes in the last 24 hours first"),
  newThisWeek: z.array(PublicListing),
  topSkillsThisWeek: z.array(PublicSkill).describe(
    "Shared in the last seven days, most votes first",
  ),
  frontRow: PublicListing.nullable(),
  bestAi: Standing.extend({ window: pollWindow }).nullable()
    .describe("The leader of the best-AI poll. Null before the first vote"),
}).meta({ id: "FullTrending" });
export type FullTrending = Omit<z.output<typeof FullTrendingBody>, "ok">;

const Category = z.object({
  slug: z.string(),
  name: z.string(),
  blurb: z.string(),
  page: z.url(),
});
const Tool = z.object({
  slug: z.string(),
  name: z.string(),
  maker: z.string(),
  color: z.string().regex(/^#[0-9A-F]{6}$/),
  glyph: z.string(),
});

/** `GET /api/v1/meta`. */
export const MetaBody = z.object({
  ok,
  aiTools: z.array(Tool),
  categories: z.array(Category),
  pricingModels: z.array(pricingSlug),
  listingAccents: z.array(z.object({ name: z.string(), hex: z.string() })),
  siteThemes: z.array(z.object({
    id: siteThemeId,
    name: z.string(),
    swatch: z.array(z.string()).length(2)
      .describe("Background and accent. For daily, the colors of today's AI of the Day"),
    dark: z.boolean(),
  })),
  promotion: z.object({
    paymentsOpen: z.boolean(),
    salesFinalNotice: z.string(),
    feeNotice: z.string(),
    maxFeaturedSlots: count,
    howToBuy: z.string(),
    tiers: z.array(PublicTier),
  }),
  limits: z.object({
    nameMax: count,
    taglineMax: count,
    descriptionMax: count,
    tagsMax: count,
    tagMax: count,
    builtWithMax: count,
    urlMax: count,
    pageSizeDefault: count,
    pageSizeMax: count,
    submissionsPerHour: count,
    votesPerHour: count,
    promoteCheckoutsPerHour: count,
  }),
  sorts: z.array(sortId),
}).meta({ id: "Meta" });
export type Meta = Omit<z.output<typeof MetaBody>, "ok">;

/** `GET /api/v1/about`. */
export const AboutBody = z.object({
  ok,
  name: z.string(),
  description: z.string(),
  whoItsFor: z.array(z.string()),
  businessModel: z.array(z.string()),
  stats: z.object({
    projects: count,
    newThisWeek: count.describe("Listed in the last seven days"),
    votes: count,
    visits: count.describe("Clicks through /go"),
    skills: count,
    promoted: count,
    gems: count,
  }).describe("Live figures"),
  currentPricing: CurrentPricing,
  links: z.record(z.string(), z.url()),
}).meta({ id: "About" });
export type About = Omit<z.output<typeof AboutBody>, "ok">;

/** `GET /api/v1/categories`. */
export const CategoriesBody = z.object({
  ok,
  categories: z.array(Category.extend({ count })),
}).meta({ id: "Categories" });

/** `GET /api/v1/tools`. */
export const ToolsBody = z.object({
  ok,
  tools: z.array(Tool.extend({ page: z.url(), count })),
}).meta({ id: "Tools" });

const SINCE =
  "Must be a nextSince value, or a date with time and zone, such as 2026-03-04T12:00:00Z";

/** The query of the change log. */
export const ChangesQuery = z.object({
  since: z.union([
    z.iso.datetime({ offset: true }).transform((date) => Date.parse(date)),
    z.string().regex(new RegExp(`^[0-9a-z]{${LOG_ID_LENGTH}}$`), SINCE),
  ], SINCE).optional().meta({
    override: { type: "string" },
    description:
      "nextSince from the last response, or a date with time and zone, such as 2026-03-04T12:00:00Z. " +
      "Default: the latest changes",
  }),
  limit: queryLimit,
});
export type ChangesQuery = z.output<typeof ChangesQuery>;

/** One public change. */
export const PublicChange = z.object({
  id: z.string(),
  kind: z.enum(["listing", "skill"]),
  slug: z.string(),
  event: z.string().describe(
    "created, approved (after review), updated, promoted, gem, gem_ended, verified, verification_lapsed, link_gone (or another state of `health`), hidden, " +
      "unhidden, withdrawn or recounted. More may be added",
  ),
  at: z.iso.datetime(),
  note: z.string().optional()
    .describe('What an edit changed, such as "content changed: +1 command, +1 link"'),
  url: z.url().nullable().describe("The entry in the API. Null if it is no longer public"),
}).meta({ id: "Change" });
export type PublicChange = z.output<typeof PublicChange>;

/** `GET /api/v1/changes`. */
export const ChangesBody = z.object({
  ok,
  ignoredParameters: IgnoredParameters,
  changes: z.array(PublicChange).describe("Oldest first"),
  limit: z.int(),
  more: z.boolean().describe("True if there are more now. If false, wait a while"),
  nextSince: z.string().nullable().describe(
    "Send it as `since` next time. Null before the first change",
  ),
}).meta({ id: "Changes" });
export type Changes = Omit<z.output<typeof ChangesBody>, "ok">;

/** `GET /api/v1/ranking`: what determines the order of lists. */
export const RankingBody = z.object({
  ok,
  formula: z.string(),
  inputs: z.record(z.string(), z.string()),
  sorts: z.array(
    z.object({ id: sortId, name: z.string(), rule: z.string() }),
  ),
  ties: z.string(),
  paid: z.string(),
  gems: z.string(),
  refreshSeconds: z.int(),
  explain: z.url().describe("The hot list with the parts of each score"),
}).meta({ id: "Ranking" });
