import type { Deps as ListingDeps } from "../listings/deps.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";

/** The dependencies of auctions. */
export interface Deps extends ListingDeps, PaymentDeps {
  /** Closes started by readers, by auction. */
  closes: Map<string, Promise<unknown>>;
}
