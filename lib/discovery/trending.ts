import { getFrontRow } from "../auctions/front_row.ts";
import { DAY_MS } from "../clock.ts";
import type { PublicListing } from "../listings/schema.ts";
import { getPollLeader } from "../poll/service.ts";
import { featuredSlugs } from "../promotions/featured.ts";
import type { Deps } from "./deps.ts";
import type { FullTrending, RisingListing, Trending } from "./schema.ts";

/**
 * What is worth a look now: the Front Row, then paid, hot, new and gem listings, up to `limit`
 * each.
 */
export function getTrending(deps: Deps, options: { limit: number }): Trending {
  const { catalogue } = deps;
  const { limit } = options;
  return {
    frontRow: getFrontRow(deps),
    promoted: getPromoted(deps).slice(0, limit),
    hot: catalogue.list({ sort: "hot", limit }).items,
    new: catalogue.list({ sort: "new", limit }).items,
    gems: catalogue.list({ sort: "hot", gems: "1", limit }).items,
  };
}

/** Promoted listings with a featured spot now, in order. */
function getFeatured({ catalogue, clock }: Deps): PublicListing[] {
  return featuredSlugs(catalogue.promotions, clock.now())
    .flatMap((slug) => catalogue.get(slug) ?? []);
}

/** Paid listings in the order used everywhere: the Front Row, then the featured ones. */
export function getPromoted(deps: Deps): PublicListing[] {
  const first = getFrontRow(deps);
  const featured = getFeatured(deps);
  if (first === null) return featured;
  return [first, ...featured.filter(({ slug }) => slug !== first.slug)];
}

/** Listings that gained votes within 24 hours, fastest first. */
function getRising(deps: Deps, options: { limit: number }): RisingListing[] {
  const { catalogue, velocity } = deps;
  return velocity.rising(options.limit, (slug) => catalogue.has(slug))
    .map(({ slug, votes24h }) => ({ ...catalogue.get(slug)!, votes24h }));
}

/** Live listings from the last seven days, newest first. */
function getNewThisWeek(deps: Deps, options: { limit: number }): PublicListing[] {
  const since = deps.clock.now() - 7 * DAY_MS;
  return deps.catalogue.list({ sort: "new", limit: options.limit }).items
    .filter((project) => Date.parse(project.createdAt) > since);
}

/** How many live listings are from the last seven days. */
export function countNewThisWeek({ catalogue, clock }: Deps): number {
  return catalogue.countAfter(clock.now() - 7 * DAY_MS);
}

/** What is trending now, beyond `getTrending`. */
export async function getFullTrending(
  deps: Deps,
  options: { limit: number },
): Promise<FullTrending> {
  return {
    rising: getRising(deps, options),
    newThisWeek: getNewThisWeek(deps, options),
    topSkillsThisWeek: deps.skills.topSince(deps.clock.now() - 7 * DAY_MS, options.limit),
    frontRow: getFrontRow(deps),
    bestAi: await getPollLeader(deps),
  };
}
