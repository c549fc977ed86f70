import type { ComponentChildren } from "preact";
import type { PublicListing } from "../lib/listings/schema.ts";
import { siteOf } from "../lib/text/addresses.ts";
import { paths, rowIds } from "../lib/urls.ts";
import { ListingTile } from "./Tile.tsx";

/** The listing in the Front Row. `children` is its vote button, if the page has one. */
export function FrontCard(
  { listing, children }: { listing: PublicListing; children?: ComponentChildren },
) {
  return (
    <div class="front-card" id={rowIds.listing(listing.slug)}>
      <ListingTile listing={listing} />
      <div>
        <h3>
          <a href={paths.listing(listing.slug)} dir="auto">{listing.name}</a>{" "}
          <a
            class="host"
            href={paths.go(listing.slug)}
            rel="sponsored nofollow noopener"
          >
            {siteOf(listing.url)}
          </a>
        </h3>
        <p class="row-tagline" dir="auto">{listing.tagline}</p>
      </div>
      {children}
    </div>
  );
}
