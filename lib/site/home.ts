import { getToday } from "../ai_of_the_day/service.ts";
import { GEMS_A_DAY, latestGems } from "../discovery/gems.ts";
import { getPromoted } from "../discovery/trending.ts";
import { attempt, DISPENSABLE_MS } from "../kv/attempt.ts";
import type { PublicListing } from "../listings/schema.ts";
import { arePaymentsOpen } from "../payments/availability.ts";
import { getPollLeader } from "../poll/service.ts";
import { shownSwitches, whenListed } from "../switches.ts";
import type { Deps } from "./deps.ts";

/** What the site says about itself, on its home page and in its preview image. */
export const SITE_HEADING = "An index of what people and agents make";

/** How many entries the lists on the home page show. */
const HOT = 15;
const SIDE = 3;

/**
 * Loads the home page's data. No project with a paid placement is in another list too. If storage is
 * slow or fails, the poll leader and AI of the Day are null.
 */
export async function homeLists(deps: Deps) {
  const { catalogue } = deps;
  const orNull = <T>(read: () => Promise<T>) => attempt(read, DISPENSABLE_MS).catch(() => null);
  const [pollLeader, aiOfTheDay, switches, paymentsOpen] = await Promise.all([
    orNull(() => getPollLeader(deps)),
    orNull(() => getToday(deps)),
    shownSwitches(deps),
    arePaymentsOpen(deps),
  ]);
  const { frontRow } = catalogue;
  const paid = getPromoted(deps);
  const first = (sort: "hot" | "new", limit: number, shown: readonly PublicListing[]) => {
    const slugs = new Set(shown.map(({ slug }) => slug));
    const { items } = catalogue.list({ sort, limit: limit + slugs.size });
    return items.filter(({ slug }) => !slugs.has(slug)).slice(0, limit);
  };
  const hot = first("hot", HOT, paid);
  const gems = latestGems(deps, GEMS_A_DAY);
  return {
    frontRow,
    paymentsOpen,
    // Listings with a featured spot now, except the holder of the Front Row.
    promoted: frontRow === null ? paid : paid.slice(1),
    hot,
    // The newest that are in no other list.
    fresh: first("new", SIDE, [...paid, ...hot, ...gems]),
    gems,
    skills: deps.skills.list({ sort: "hot", limit: SIDE }).items,
    pollLeader,
    aiOfTheDay,
    // When a new listing goes live; null while the operator has paused submissions.
    whenListed: whenListed(switches),
  };
}
