import { nameOfCategory } from "../lib/catalog/categories.ts";
import { nameOfPrice } from "../lib/catalog/pricing.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { siteOf } from "../lib/text/addresses.ts";
import { plural } from "../lib/text/count.ts";
import { paths, rowIds } from "../lib/urls.ts";
import { PromotedLabel } from "./PromotedLabel.tsx";
import { ListingTile } from "./Tile.tsx";
import { Age } from "./Time.tsx";
import { ToolNames } from "./ToolMark.tsx";
import { Vote } from "./Vote.tsx";

/**
 * How a list shows each project at `now` (ms). `shelf` is the category that all of them are in,
 * `tool` the one that all were built with. If all are gems (`gems`), each says when it was picked.
 */
interface ListedAs {
  now: number;
  shelf?: string;
  tool?: string;
  gems?: boolean;
}

/** Category, price, age, clicks and tools of a listing on one line. */
export function ListingLine(
  { listing, shelf, tool, now, gems }: ListedAs & { listing: PublicListing },
) {
  const { category, pricing, builtWith, clicks } = listing;
  const place = category && category !== shelf ? nameOfCategory(category) : null;
  const price = pricing && nameOfPrice(pricing);
  return (
    <p class="row-facts">
      {place && <a href={paths.category(category!)} aria-current="false">{place}</a>}{" "}
      {/* "Open source" is a category and a price. */}
      {price && price !== place && <span class="extra">{price}</span>}{" "}
      <ListingAge listing={listing} now={now} gems={gems} />{" "}
      {clicks > 0 && <span class="extra">{plural(clicks, "click")}</span>}{" "}
      <ToolNames slugs={builtWith.filter((slug) => slug !== tool)} relation="Built" />
    </p>
  );
}

/** When a project was listed, or picked as a gem. */
function ListingAge({ listing, now, gems }: ListedAs & { listing: PublicListing }) {
  if (!gems || !listing.gem) return <Age iso={listing.createdAt} now={now} />;
  return (
    <span>
      picked <Age iso={listing.gem.since} now={now} />
    </span>
  );
}

/** One entry in a list of projects: tile, name, tagline, facts and the vote button. */
function ListingRow({ listing, ...as }: ListedAs & { listing: PublicListing }) {
  return (
    <li class="row" id={rowIds.listing(listing.slug)}>
      <ListingTile listing={listing} />
      <div>
        <h3 class="row-name">
          <a href={paths.listing(listing.slug)} dir="auto">{listing.name}</a>{" "}
          <PromotedLabel listing={listing} />{" "}
          {listing.gem && !as.gems && <span class="label">Hidden gem</span>}{" "}
          <span class="host">{siteOf(listing.url)}</span>
        </h3>
        <p class="row-tagline" dir="auto">{listing.tagline}</p>
        <ListingLine listing={listing} {...as} />
      </div>
      <Vote {...listing} kind="listing" />
    </li>
  );
}

/** A numbered list of projects. `start` is the first number; `whole` doesn't shorten taglines. */
export function ListingList(
  { listings, start = 1, label, whole, ...as }: ListedAs & {
    listings: readonly PublicListing[];
    start?: number;
    label: string;
    whole?: boolean;
  },
) {
  return (
    <ol class={whole ? "rows numbered whole" : "rows numbered"} start={start} aria-label={label}>
      {listings.map((listing) => <ListingRow key={listing.slug} listing={listing} {...as} />)}
    </ol>
  );
}

/** A short entry for side columns: tile, name, tagline, and its age if `now` (ms) is given. */
export function ListingBrief(
  { listing, now, gems }: Partial<ListedAs> & { listing: PublicListing },
) {
  return (
    <li class="brief">
      <ListingTile listing={listing} size="small" />
      <div>
        <a href={paths.listing(listing.slug)} dir="auto" aria-current="false">{listing.name}</a>
        {" "}
        <PromotedLabel listing={listing} />
        <p dir="auto">{listing.tagline}</p>
        {now !== undefined && (
          <p>
            <ListingAge listing={listing} now={now} gems={gems} />
          </p>
        )}
      </div>
    </li>
  );
}
