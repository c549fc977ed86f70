import type { PublicListing } from "../lib/listings/schema.ts";

/** Says in words that a place was paid for, wherever it shows; nothing for others. */
export function PromotedLabel(
  { listing }: { listing: Pick<PublicListing, "promoted" | "sponsored"> },
) {
  if (listing.sponsored) return <span class="label paid">Sponsored</span>;
  if (listing.promoted) return <span class="label paid">Promoted</span>;
  return null;
}
