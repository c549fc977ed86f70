import type { ComponentChildren } from "preact";
import { nameOfCategory } from "../lib/catalog/categories.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { siteOf } from "../lib/text/addresses.ts";
import { paths } from "../lib/urls.ts";
import { Accent } from "./Accent.tsx";
import { Dated } from "./Dated.tsx";
import { PromotedLabel } from "./PromotedLabel.tsx";
import { Time } from "./Time.tsx";
import { ToolMarks } from "./ToolMark.tsx";
import { ListingVote } from "./Vote.tsx";

/**
 * How a list shows each project. `shelf` is the category that all of them are in; `dated` adds the
 * date, and `noted` why the scout picked it.
 */
interface ListedAs {
  shelf?: string;
  dated?: boolean;
  noted?: boolean;
}

/** Host, category, tools and day of a listing in one line. `host` is the host, linked or not. */
export function ListingLine(
  { listing, host, shelf, dated }: ListedAs & { listing: PublicListing; host: ComponentChildren },
) {
  return (
    <p class="row-facts">
      {host}{" "}
      {listing.category && listing.category !== shelf && (
        <a href={paths.category(listing.category)} aria-current="false">
          {nameOfCategory(listing.category)}
        </a>
      )} <ToolMarks slugs={listing.builtWith} /> {dated && <Time iso={listing.createdAt} />}
    </p>
  );
}

/** One entry of a list of projects: name, tagline, facts and the vote button. */
export function ListingRow({ listing, ...as }: ListedAs & { listing: PublicListing }) {
  return (
    <li class="row">
      <Accent name={listing.accentName} />
      <div>
        <h3 class="row-name">
          <a href={paths.listing(listing.slug)} dir="auto">{listing.name}</a>{" "}
          <PromotedLabel listing={listing} /> {listing.gem && <span class="label">Gem</span>}
        </h3>
        <p class="row-tagline" dir="auto">{listing.tagline}</p>
        {as.noted && listing.gem && (
          <p class="row-note" dir="auto">
            <Dated text={listing.gem.note} />
          </p>
        )}
        <ListingLine listing={listing} host={<span>{siteOf(listing.url)}</span>} {...as} />
      </div>
      <ListingVote listing={listing} />
    </li>
  );
}

/** A numbered list of projects. `start` is the number of the first. */
export function ListingList(
  { listings, start = 1, label, ...as }: ListedAs & {
    listings: readonly PublicListing[];
    start?: number;
    label: string;
  },
) {
  return (
    <ol class="rows numbered" start={start} aria-label={label}>
      {listings.map((listing) => <ListingRow key={listing.slug} listing={listing} {...as} />)}
    </ol>
  );
}

/** A short entry for side columns: name, tagline, and a note. */
export function ListingBrief({ listing, note }: { listing: PublicListing; note?: string }) {
  return (
    <li class="brief">
      <a href={paths.listing(listing.slug)} dir="auto">{listing.name}</a>{" "}
      <PromotedLabel listing={listing} />
      <p dir="auto">{listing.tagline}</p>
      {note !== undefined && (
        <p dir="auto">
          <Dated text={note} />
        </p>
      )}
    </li>
  );
}
