import type { Deps as ListingDeps } from "../listings/deps.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";

export interface Deps extends ListingDeps, PaymentDeps {
  /** The auctions that readers are closing right now, by id. */
  closes: Map<string, Promise<unknown>>;
}
