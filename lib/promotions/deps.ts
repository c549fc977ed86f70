import type { FeaturedCandidate } from "../listings/placements.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";

/** What promotions work with. */
export interface Deps extends PaymentDeps {
  catalogue: {
    /** The promoted listings that may be featured, in the order of the strip. */
    readonly promotions: readonly FeaturedCandidate[];
  };
}
