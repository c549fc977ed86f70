import type { ComponentChildren } from "preact";
import type { PublicListing } from "../lib/listings/schema.ts";
import { siteOf } from "../lib/text/addresses.ts";
import { paths } from "../lib/urls.ts";
import { Accent } from "./Accent.tsx";
import { ListingLine } from "./ListingRow.tsx";
import { ListingVote } from "./Vote.tsx";

/** The one sponsored place at the head of the home page. If it is empty, it says how to get it. */
export function FrontRow({ listing }: { listing: PublicListing | null }) {
  return (
    <section class="paid-place" aria-labelledby="front-row">
      <div class="section-head">
        <h2 id="front-row">Front Row</h2>
        <p>
          <span class="label paid">Sponsored</span> one spot a week, by{" "}
          <a href={paths.auctions}>auction</a>
        </p>
      </div>
      {listing === null
        ? (
          <p class="front-empty">
            This spot is open. <a href={paths.auctions}>Bid for next week</a>
          </p>
        )
        : (
          <FrontCard listing={listing}>
            <ListingVote listing={listing} />
          </FrontCard>
        )}
    </section>
  );
}

/** The listing that holds the Front Row. `children` is its vote button, where the page has one. */
export function FrontCard(
  { listing, children }: { listing: PublicListing; children?: ComponentChildren },
) {
  return (
    <div class="front-card">
      <Accent name={listing.accentName} />
      <div>
        <h3>
          <a href={paths.listing(listing.slug)} dir="auto">{listing.name}</a>
        </h3>
        <p class="row-tagline" dir="auto">{listing.tagline}</p>
        <ListingLine
          listing={listing}
          host={
            <a href={paths.go(listing.slug)} rel="sponsored nofollow noopener">
              {siteOf(listing.url)}
            </a>
          }
        />
      </div>
      {children}
    </div>
  );
}
