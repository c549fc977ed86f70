import { z } from "zod";
import { getTrending } from "../../discovery/trending.ts";
import { LIMITS } from "../../limits.ts";
import type { PublicListing } from "../../listings/schema.ts";
import { CONTENT_TOKENS } from "../budget.ts";
import {
  briefCost,
  briefLine,
  fitting,
  ListingBrief,
  shortened,
  toBrief,
} from "../listing_text.ts";
import { limitTo } from "../params.ts";
import { defineTool, READS } from "../tool.ts";

/** The lists, in the order shown. */
const LISTS = ["promoted", "hot", "new", "gems"] as const;

export const trending = defineTool({
  name: "trending",
  title: "Trending projects",
  description: "Front Row (sponsored), promoted (paid), hot, new and hidden-gem projects.",
  annotations: READS,
  input: z.strictObject({
    limit: limitTo(LIMITS.trendingMax).describe("Maximum entries per list"),
  }),
  output: z.object({
    frontRow: ListingBrief.nullable(),
    promoted: z.array(ListingBrief),
    hot: z.array(ListingBrief),
    new: z.array(ListingBrief),
    gems: z.array(ListingBrief),
    cut: z.boolean().describe("True: shortened to fit"),
  }),
  run({ deps }, { limit }) {
    const { frontRow: holder, ...lists } = getTrending(deps, { limit });
    const frontRow = holder && shortened(holder);
    const shown = share(lists, CONTENT_TOKENS - (frontRow === null ? 0 : briefCost(frontRow)));
    const cut = LISTS.some((name) => shown[name].length < lists[name].length);
    return {
      data: {
        frontRow: frontRow && toBrief(frontRow),
        promoted: shown.promoted.map(toBrief),
        hot: shown.hot.map(toBrief),
        new: shown.new.map(toBrief),
        gems: shown.gems.map(toBrief),
        cut,
      },
      text: [
        section("Front Row (sponsored)", frontRow === null ? [] : [frontRow]),
        section("Promoted (paid)", shown.promoted.filter(({ slug }) => slug !== frontRow?.slug)),
        section("Hot", shown.hot),
        section("New", shown.new),
        section("Hidden gems (not for sale)", shown.gems),
        cut ? "Shortened to fit. search_projects has more." : "",
      ].filter((text) => text !== "").join("\n\n") ||
        "No projects yet. List one with submit_project.",
    };
  },
});

type Lists = Record<typeof LISTS[number], PublicListing[]>;

/**
 * As much of each list as fits. Each gets an equal share of the tokens, plus what the lists before
 * it left unused.
 */
function share(lists: Lists, tokens: number): Lists {
  let left = tokens;
  const shown = {} as Lists;
  for (const [at, name] of LISTS.entries()) {
    shown[name] = fitting(lists[name], left / (LISTS.length - at));
    for (const listing of shown[name]) left -= briefCost(listing);
  }
  return shown;
}

function section(title: string, listings: PublicListing[]): string {
  return listings.length === 0 ? "" : [`## ${title}`, ...listings.map(briefLine)].join("\n");
}
