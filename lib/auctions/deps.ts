import type { PublicListing } from "../listings/schema.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";

/** The dependencies of auctions. */
export interface Deps extends PaymentDeps {
  catalogue: {
    /** The slug of the Front Row listing, or null. */
    readonly frontRow: string | null;
    get(slug: string): PublicListing | undefined;
  };
  /** Closes started by readers, by auction. */
  closes: Map<string, Promise<unknown>>;
}
