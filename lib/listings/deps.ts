import type { Core } from "../core.ts";
import type { ListingCatalogue } from "./catalogue.ts";
import type { HourlyCounts } from "./hourly_counts.ts";

/** What listings work with. */
export interface Deps extends Core {
  /** The live listings in memory. */
  catalogue: ListingCatalogue;
  /** The visits of each network to any listing. */
  visits: HourlyCounts;
}
