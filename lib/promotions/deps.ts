import type { Deps as ListingDeps } from "../listings/deps.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";

/** The dependencies of promotions. */
export interface Deps extends ListingDeps, PaymentDeps {}
