import type { PublicListing } from "../lib/listings/schema.ts";
import { siteOf } from "../lib/text/addresses.ts";
import { ListingLine } from "./ListingRow.tsx";
import { Description } from "./Markdown.tsx";
import { Tile } from "./Tile.tsx";

/** A preview of a project as lists and its page would show it, before it is submitted. */
export function ListingPreview({ listing, now }: { listing: PublicListing; now: number }) {
  return (
    <>
      <div class="row">
        <Tile name={listing.name} accent={listing.accentName} />
        <div>
          <h3 class="row-name">
            <span dir="auto">{listing.name}</span> <span class="host">{siteOf(listing.url)}</span>
          </h3>
          <p class="row-tagline" dir="auto">{listing.tagline}</p>
          <ListingLine listing={listing} now={now} />
        </div>
      </div>
      {listing.description !== null && <Description text={listing.description} />}
      <p class="dim">
        Its page: <code>{listing.page}</code>
      </p>
    </>
  );
}
