import { DAY_MS } from "../clock.ts";
import type { PublicListing } from "../listings/schema.ts";
import { getPollLeader } from "../poll/service.ts";
import { featuredSlugs } from "../promotions/featured.ts";
import type { Deps } from "./deps.ts";
import type { FullTrending, Trending } from "./schema.ts";

/**
 * What is worth a look now: the Front Row, then paid, hot, new and gem listings, up to `limit`
 * each.
 */
export function getTrending(deps: Deps, options: { limit: number }): Trending {
  const { catalogue } = deps;
  const { limit } = options;
  return {
    frontRow: catalogue.frontRow,
    promoted: getPromoted(deps).slice(0, limit),
    hot: catalogue.list({ sort: "hot", limit }).items,
    new: catalogue.list({ sort: "new", limit }).items,
    gems: catalogue.list({ sort: "hot", gems: "1", limit }).items,
  };
}

/** Paid listings in the order used everywhere: the Front Row, then those with a featured spot. */
export function getPromoted(deps: Deps): PublicListing[] {
  const { catalogue, clock } = deps;
  const featured = featuredSlugs(catalogue.promotions, clock.now())
    .flatMap((slug) => catalogue.get(slug) ?? []);
  const first = deps.catalogue.frontRow;
  if (first === null) return featured;
  return [first, ...featured.filter(({ slug }) => slug !== first.slug)];
}

/** What is trending now, beyond `getTrending`. */
export async function getFullTrending(
  deps: Deps,
  { limit }: { limit: number },
): Promise<FullTrending> {
  const { catalogue, clock, skills, velocity } = deps;
  await velocity.ready();
  const weekAgo = clock.now() - 7 * DAY_MS;
  const newest = Math.min(limit, catalogue.countAfter(weekAgo));
  return {
    rising: velocity.rising(limit, (slug) => catalogue.has(slug))
      .map(({ slug, votes24h }) => ({ ...catalogue.get(slug)!, votes24h })),
    newThisWeek: catalogue.list({ sort: "new", limit: newest }).items,
    topSkillsThisWeek: skills.topSince(weekAgo, limit),
    frontRow: deps.catalogue.frontRow,
    bestAi: await getPollLeader(deps),
  };
}
