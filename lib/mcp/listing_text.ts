import { z } from "zod";
import { listingCard, placementLabel } from "../listings/markdown.ts";
import { PublicListing } from "../listings/schema.ts";
import { escapeMarkdown, escapeMarkdownBlock } from "../text/escape.ts";
import { clip, CONTENT_TOKENS, entriesThatFit, jsonTokens } from "./budget.ts";
import { plural } from "../text/count.ts";

/** What a list shows of a listing: the same fields as the JSON API, without the long ones. */
export const ListingBrief = z.object({
  slug: z.string(),
  name: z.string(),
  tagline: z.string(),
  url: z.string(),
  category: z.string().nullable(),
  builtWith: z.array(z.string()),
  pricing: z.string().nullable(),
  votes: z.int(),
  promoted: z.boolean(),
  sponsored: z.boolean(),
  placement: z.string().nullable(),
  page: z.string(),
});
export type ListingBrief = z.infer<typeof ListingBrief>;

/** A listing's public record where only some of its fields are named. */
export const ListingRecord = z.looseObject({
  slug: z.string(),
  name: z.string(),
  url: z.string(),
  tagline: z.string(),
  votes: z.int(),
  promoted: z.boolean(),
  sponsored: z.boolean(),
  page: z.string(),
});

/** The fields of a list of what the JSON API answers. */
export function toBrief(listing: PublicListing): ListingBrief {
  return {
    slug: listing.slug,
    name: listing.name,
    tagline: listing.tagline,
    url: listing.url,
    category: listing.category,
    builtWith: listing.builtWith,
    pricing: listing.pricing,
    votes: listing.votes,
    promoted: listing.promoted,
    sponsored: listing.sponsored,
    placement: listing.placement,
    page: listing.page,
  };
}

/** A listing as one item of a Markdown list. */
export function briefLine(listing: PublicListing): string {
  const facts = [
    listing.category,
    listing.pricing,
    plural(listing.votes, "vote"),
    placementLabel(listing),
  ];
  return `- **${escapeMarkdown(listing.name)}** (${listing.slug}): ${
    escapeMarkdown(listing.tagline)
  }\n` +
    `  ${facts.filter((fact) => fact !== null).join(", ")} <${listing.url}>`;
}

/** What a listing costs in a list, as data and as text. */
export function briefCost(listing: PublicListing): number {
  return jsonTokens(toBrief(listing)) + jsonTokens(briefLine(listing));
}

/** The listings of a list that fit in a result. */
export function fitting(listings: PublicListing[], budget?: number): PublicListing[] {
  return listings.slice(0, entriesThatFit(listings.map(briefCost), budget));
}

/**
 * A listing's whole record, its description cut where both forms of it would not fit in a result
 * (`descriptionCut` says so; `apiUrl` has it whole).
 */
export function clippedRecord(listing: PublicListing): PublicListing & { descriptionCut?: true } {
  if (listing.description === null) return listing;
  const others = { ...listing, description: null };
  const left = CONTENT_TOKENS - jsonTokens(others) - jsonTokens(listingCard(others));
  const cost = (start: string) => jsonTokens(start) + jsonTokens(escapeMarkdownBlock(start));
  const { text, clipped } = clip(listing.description, left, cost);
  return clipped ? { ...listing, description: text, descriptionCut: true } : listing;
}

/** The card of what `clippedRecord` gave. */
export function recordText(record: PublicListing & { descriptionCut?: true }): string {
  const card = listingCard(record);
  return record.descriptionCut === undefined
    ? card
    : `${card.trimEnd()}\n\nThe description goes on: <${record.apiUrl}>\n`;
}
