import { TIERS } from "../lib/catalog/tiers.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { charge, dollars } from "../lib/payments/fees.ts";
import { accentClass } from "../lib/themes/stylesheet.ts";
import { paths } from "../lib/urls.ts";
import { Accent } from "./Accent.tsx";
import { PromotedLabel } from "./PromotedLabel.tsx";

/** Tiers whose cards glow in the strip. */
const GLOW = new Set(["boost-7", "spotlight-30"]);

/**
 * Paid listings in a moving line. It pauses by its button, on hover and on focus, and stands still
 * for visitors who want no motion.
 */
export function Ticker({ listings }: { listings: readonly PublicListing[] }) {
  if (listings.length === 0) return null;
  const line = (isCopy: boolean) => (
    <ul class="plain ticker-line" aria-hidden={isCopy ? "true" : undefined}>
      {listings.map((listing) => (
        <li key={listing.slug}>
          <Accent name={listing.accentName} />
          <a href={paths.listing(listing.slug)} dir="auto" tabIndex={isCopy ? -1 : undefined}>
            {listing.name}
          </a>{" "}
          <span class="label paid">{listing.sponsored ? "Sponsored" : "Promoted"}</span>
        </li>
      ))}
    </ul>
  );
  return (
    <section class="ticker" aria-label="Promoted projects, ticker">
      <input type="checkbox" id="ticker-pause" />
      <label for="ticker-pause" class="ticker-pause">Pause</label>
      <div class="ticker-window">
        <div class="ticker-track">
          {line(false)}
          {line(true)}
        </div>
      </div>
    </section>
  );
}

/**
 * Promoted listings as one line of cards, which scrolls sideways if it is longer than the page.
 * Nothing if there are none.
 */
export function FeaturedStrip({ listings }: { listings: readonly PublicListing[] }) {
  if (listings.length === 0) return null;
  return (
    <section aria-labelledby="featured" class="paid-place">
      <div class="section-head">
        <h2 id="featured">Featured</h2>
        <p>
          Paid placements{" "}
          <a href={paths.promote}>from {dollars(charge(TIERS[0].amountCents).totalCents)}</a>
        </p>
      </div>
      <ul class="plain strip">
        {listings.map((listing) => (
          <li key={listing.slug} class={cardClass(listing)}>
            <Accent name={listing.accentName} />
            <p class="card-name">
              <a href={paths.listing(listing.slug)} dir="auto">{listing.name}</a>{" "}
              <PromotedLabel listing={listing} />
            </p>
            <p class="card-text" dir="auto">{listing.tagline}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The class of a card. It has its accent's color if its tier makes it glow. */
function cardClass({ promotion, accentName }: PublicListing): string {
  if (!GLOW.has(promotion?.tierId ?? "")) return "card";
  return accentName === null ? "card glow" : `card glow ${accentClass(accentName)}`;
}
