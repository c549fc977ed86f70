import type { Core } from "../core.ts";
import type { ListingCatalogue } from "./catalogue.ts";
import type { HourlyCounts } from "./hourly_counts.ts";

/** What listings need. */
export interface Deps extends Core {
  /** The live listings in memory. */
  catalogue: ListingCatalogue;
  /** Each holder's visits to any listing. */
  visits: HourlyCounts;
}
