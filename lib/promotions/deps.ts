import type { FeaturedCandidate } from "../listings/placements.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";

/** The dependencies of promotions. */
export interface Deps extends PaymentDeps {
  catalogue: {
    /** The promoted listings that may be featured, in strip order. */
    readonly promotions: readonly FeaturedCandidate[];
  };
}
