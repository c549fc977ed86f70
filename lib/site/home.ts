import type { AiOfTheDayView } from "../ai_of_the_day/schema.ts";
import { getAiOfTheDay } from "../ai_of_the_day/service.ts";
import { getFrontRow } from "../auctions/front_row.ts";
import { countCategories } from "../discovery/counts.ts";
import { GEMS_A_DAY } from "../discovery/gems.ts";
import { getFeatured, getPromoted } from "../discovery/trending.ts";
import { attempt, DISPENSABLE_MS } from "../kv/attempt.ts";
import type { CatalogueCounts } from "../listings/catalogue.ts";
import type { PublicListing } from "../listings/schema.ts";
import type { Standing } from "../poll/schema.ts";
import { getPollLeader } from "../poll/service.ts";
import { shownSwitches, whenListed } from "../switches.ts";
import type { Deps } from "./deps.ts";

/** What the site says of itself, on its home page and in its preview picture. */
export const SITE_HEADING = "An index of what people and agents make";

/** How many entries the lists of the home page show. */
const HOT = 30;
const SIDE = 6;

/** The lists of the home page. */
export interface HomeLists {
  frontRow: PublicListing | null;
  featured: PublicListing[];
  /** The Front Row, then the featured ones. */
  promoted: PublicListing[];
  hot: PublicListing[];
  fresh: PublicListing[];
  gems: PublicListing[];
  /** Every category with how many listings it has. */
  categories: ReturnType<typeof countCategories>;
  counts: CatalogueCounts;
  pollLeader: Standing | null;
  aiOfTheDay: AiOfTheDayView | null;
  /** When a new listing is shown; null while the operator has paused submissions. */
  whenListed: string | null;
}

/**
 * Reads what the home page shows. If storage is slow or fails, poll leader and AI of the Day are
 * null.
 */
export async function homeLists(deps: Deps): Promise<HomeLists> {
  const { catalogue } = deps;
  const orNull = <T>(read: () => Promise<T>) => attempt(read, DISPENSABLE_MS).catch(() => null);
  const [pollLeader, aiOfTheDay, switches] = await Promise.all([
    orNull(() => getPollLeader(deps)),
    orNull(() => getAiOfTheDay(deps)),
    shownSwitches(deps),
  ]);
  return {
    frontRow: getFrontRow(deps),
    featured: getFeatured(deps),
    promoted: getPromoted(deps),
    hot: catalogue.list({ sort: "hot", limit: HOT }).items,
    fresh: catalogue.list({ sort: "new", limit: SIDE }).items,
    gems: catalogue.list({ sort: "new", gems: "1", limit: GEMS_A_DAY }).items,
    categories: countCategories(deps),
    counts: catalogue.counts(),
    pollLeader,
    aiOfTheDay,
    whenListed: whenListed(switches),
  };
}
