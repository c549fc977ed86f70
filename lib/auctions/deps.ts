import type { PublicListing } from "../listings/schema.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";

/** What auctions work with. */
export interface Deps extends PaymentDeps {
  catalogue: {
    /** The slug of the listing that has the Front Row. */
    readonly frontRow: string | null;
    get(slug: string): PublicListing | undefined;
  };
  /** Closes of auctions that readers have begun, by auction. */
  closes: Map<string, Promise<unknown>>;
}
