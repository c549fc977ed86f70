import type { PublicListing } from "../lib/listings/schema.ts";

/** The label of a paid placement, wherever it is shown; nothing for other listings. */
export function PromotedLabel(
  { listing }: { listing: Pick<PublicListing, "promoted" | "sponsored"> },
) {
  if (listing.sponsored) return <span class="label paid">Sponsored</span>;
  if (listing.promoted) return <span class="label paid">Promoted</span>;
  return null;
}
