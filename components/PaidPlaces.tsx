import { hasPerk, TIERS } from "../lib/catalog/tiers.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { charge, dollars } from "../lib/payments/fees.ts";
import { accentClass } from "../lib/themes/stylesheet.ts";
import { paths } from "../lib/urls.ts";
import { FrontCard } from "./FrontRow.tsx";
import { ListingTile } from "./Tile.tsx";
import { Vote } from "./Vote.tsx";

/**
 * All paid placements on the home page, in one band: the holder of the Front Row, then the promoted
 * listings as a ticker: a moving strip of cards. It pauses with its button, on hover and on focus,
 * and doesn't move for visitors who prefer reduced motion. A Front Row that nobody holds is shown
 * only while payments are open.
 */
export function PaidPlaces({ frontRow, promoted, paymentsOpen }: {
  frontRow: PublicListing | null;
  promoted: readonly PublicListing[];
  paymentsOpen: boolean;
}) {
  const hasFrontRow = frontRow !== null || paymentsOpen;
  if (!hasFrontRow && promoted.length === 0) return null;
  return (
    <section class="paid-places" aria-label="Paid placements">
      {hasFrontRow && <FrontRowPlace frontRow={frontRow} />}
      {promoted.length > 0 && <Ticker listings={promoted} />}
    </section>
  );
}

function FrontRowPlace({ frontRow }: { frontRow: PublicListing | null }) {
  return (
    <div class="paid-place">
      <div class="paid-head">
        <h2 id="front-row">Front Row</h2>
        {frontRow !== null && <span class="label paid">Sponsored</span>}
        <p>
          a weekly spot, <a href={paths.auctions}>sold at auction</a>
        </p>
      </div>
      {frontRow === null
        ? (
          <p class="front-empty">
            This spot is open. <a href={paths.auctions}>Bid for next week</a>
          </p>
        )
        : (
          <FrontCard listing={frontRow}>
            <Vote {...frontRow} kind="listing" />
          </FrontCard>
        )}
    </div>
  );
}

function Ticker({ listings }: { listings: readonly PublicListing[] }) {
  return (
    <div class="paid-place">
      <input type="checkbox" id="ticker-pause" class="quiet" />
      <div class="paid-head">
        <h2 id="promoted">
          <span class="label paid">Promoted</span>
        </h2>
        <p>
          <a href={paths.promote}>from {dollars(charge(TIERS[0].amountCents).totalCents)}</a>
        </p>
        <label for="ticker-pause" class="ticker-pause">Pause</label>
      </div>
      <div class="ticker-window">
        <div class="ticker-track">
          <Line listings={listings} />
          <Line listings={listings} isCopy />
        </div>
      </div>
    </div>
  );
}

/**
 * One copy of the ticker. A purely visual second copy follows, so that the ticker loops endlessly.
 */
function Line({ listings, isCopy }: { listings: readonly PublicListing[]; isCopy?: boolean }) {
  return (
    <ul class="plain ticker-line" aria-hidden={isCopy ? "true" : undefined}>
      {listings.map((listing) => (
        <li key={listing.slug} class={cardClass(listing)}>
          <ListingTile listing={listing} size="small" />
          <div>
            <p class="card-name">
              <a href={paths.listing(listing.slug)} dir="auto" tabIndex={isCopy ? -1 : undefined}>
                {listing.name}
              </a>{" "}
              <span class="quiet">Promoted</span>
            </p>
            <p class="card-text" dir="auto">{listing.tagline}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The class of a card. If its tier glows, includes its accent color. */
function cardClass({ promotion, accentName }: PublicListing): string {
  if (!hasPerk(promotion?.tierId, "glow")) return "card";
  return accentName === null ? "card glow" : `card glow ${accentClass(accentName)}`;
}
