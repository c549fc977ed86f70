import type { Deps } from "../deps.ts";
import type { PublicListing } from "../listings/schema.ts";
import { MAX_FEATURED_SLOTS } from "../catalog/tiers.ts";
import type { CatalogueCounts } from "../discovery/catalogue_types.ts";

/** How many entries the lists of the home page show. */
const HOT = 30;
const SIDE = 6;

/** The lists of the home page. */
export interface HomeLists {
  frontRow: PublicListing | null;
  promoted: PublicListing[];
  hot: PublicListing[];
  fresh: PublicListing[];
  gems: PublicListing[];
  counts: CatalogueCounts;
}

/** Reads the lists of the home page from the catalogue. */
export function homeLists({ catalogue }: Pick<Deps, "catalogue">): HomeLists {
  const { frontRow } = catalogue;
  return {
    frontRow: frontRow === null ? null : catalogue.get(frontRow) ?? null,
    promoted: catalogue.list({ promoted: true, limit: MAX_FEATURED_SLOTS }).items,
    hot: catalogue.list({ sort: "hot", limit: HOT }).items,
    fresh: catalogue.list({ sort: "new", limit: SIDE }).items,
    gems: catalogue.list({ sort: "new", gems: true, limit: SIDE }).items,
    counts: catalogue.counts(),
  };
}
