import type { Core } from "../core.ts";
import type { HourlyCounts } from "./hourly_counts.ts";
import type { PublicListing } from "./schema.ts";

/** What listings work with. */
export interface Deps extends Core {
  /** The live listings in memory. */
  catalogue: {
    get(slug: string): PublicListing | undefined;
    votes(slug: string): number;
  };
  /** The visits of each network to any listing. */
  visits: HourlyCounts;
}
