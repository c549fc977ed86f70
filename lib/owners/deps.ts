import type { Fetcher } from "../fetching/fetcher.ts";
import type { Deps as ListingDeps } from "../listings/deps.ts";

/** What proof of ownership works with. */
export interface Deps extends ListingDeps {
  /** Fetches user-submitted URLs; null where that is off. */
  fetcher: Fetcher | null;
}
