import type { Fetcher } from "../fetching/fetcher.ts";
import type { Deps as ListingDeps } from "../listings/deps.ts";
import type { Deps as SkillDeps } from "../skills/deps.ts";

/** The dependencies of ownership proofs. */
export interface Deps extends ListingDeps, SkillDeps {
  /** Fetches user-submitted URLs; null if that is off. */
  fetcher: Fetcher | null;
}
