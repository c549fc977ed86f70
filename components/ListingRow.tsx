import type { ComponentChildren } from "preact";
import { categories } from "../lib/catalog/categories.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { paths } from "../lib/urls.ts";
import { Accent } from "./Accent.tsx";
import { Dated } from "./Dated.tsx";
import { hostOf } from "./format.ts";
import { PromotedLabel } from "./PromotedLabel.tsx";
import { ToolMarks } from "./ToolMark.tsx";
import { ListingVote } from "./Vote.tsx";

const categoryName = new Map<string, string>(categories.map(({ slug, name }) => [slug, name]));

/** The name of a category by its slug. */
export function nameOfCategory(slug: string): string {
  return categoryName.get(slug) ?? slug;
}

/** Host, category and tools of a listing in one line. `host` is the host, linked or not. */
export function ListingLine(
  { listing, host, shelf }: { listing: PublicListing; host: ComponentChildren; shelf?: string },
) {
  return (
    <p class="row-facts">
      {host}
      {listing.category && listing.category !== shelf && (
        <a href={paths.category(listing.category)} aria-current="false">
          {nameOfCategory(listing.category)}
        </a>
      )}
      <ToolMarks slugs={listing.builtWith} />
    </p>
  );
}

/** One entry of a list of projects: name, tagline, facts and the vote button. */
export function ListingRow({ listing, shelf }: { listing: PublicListing; shelf?: string }) {
  return (
    <li class="row">
      <Accent name={listing.accentName} />
      <div>
        <h3 class="row-name">
          <a href={paths.listing(listing.slug)} dir="auto">{listing.name}</a>
          <PromotedLabel listing={listing} />
          {listing.gem && <span class="label">Gem</span>}
        </h3>
        <p class="row-tagline" dir="auto">{listing.tagline}</p>
        <ListingLine listing={listing} host={<span>{hostOf(listing.url)}</span>} shelf={shelf} />
      </div>
      <ListingVote listing={listing} />
    </li>
  );
}

/** A numbered list of projects. `start` is the number of the first, `shelf` the category that all are of. */
export function ListingList(
  props: { listings: readonly PublicListing[]; start?: number; label: string; shelf?: string },
) {
  return (
    <ol class="rows numbered" start={props.start ?? 1} aria-label={props.label}>
      {props.listings.map((listing) => (
        <ListingRow key={listing.slug} listing={listing} shelf={props.shelf} />
      ))}
    </ol>
  );
}

/** A short entry for side columns: name and tagline, and what else is to be said of it. */
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
