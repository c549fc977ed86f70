import { z } from "zod";
import { listingCard, placementLabel } from "../listings/markdown.ts";
import { PublicListing } from "../listings/schema.ts";
import { plural } from "../text/count.ts";
import { descriptionMarkdown } from "../text/description.ts";
import { boldMarkdown, escapeMarkdown } from "../text/escape.ts";
import { clip, CONTENT_TOKENS, entriesThatFit, jsonTokens } from "./budget.ts";

/**
 * The maximum number of tokens of a listing in a list, as data and text together; one in plain
 * words costs 200 to 330. A few that cost more would leave no room for the others.
 */
const ENTRY_TOKENS = 500;

/** A listing in a list: the fields of the JSON API without the long ones. */
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
  gemNote: z.string().optional(),
  page: z.string(),
});
export type ListingBrief = z.infer<typeof ListingBrief>;

/** A listing's public record. The schema names only some of its fields. */
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

/** The brief form of a listing. */
export function toBrief(listing: PublicListing): ListingBrief {
  return ListingBrief.parse({ ...listing, gemNote: listing.gem?.note });
}

/** A listing as one item of a Markdown list. */
export function briefLine(listing: PublicListing): string {
  const facts = [
    listing.category && `category ${listing.category}`,
    listing.pricing && `pricing ${listing.pricing}`,
    plural(listing.votes, "vote"),
    placementLabel(listing),
    listing.gem && "hidden gem",
  ];
  return `- ${boldMarkdown(listing.name)} (${listing.slug}): ${escapeMarkdown(listing.tagline)}\n` +
    `  ${facts.filter((fact) => fact !== null).join(", ")} <${listing.url}>`;
}

/** The tokens of a listing in a list, as data and text together. */
export function briefCost(listing: PublicListing): number {
  return jsonTokens(toBrief(listing)) + jsonTokens(briefLine(listing));
}

/** The first listings that fit in a result, in the short form that lists show. */
export function fitting(listings: PublicListing[], budget?: number): PublicListing[] {
  return entriesThatFit(listings.map(shortened), briefCost, budget);
}

/**
 * A listing as lists show it. If its texts cost more than plain ones, a long address is replaced by
 * our link to it, and the tagline is cut.
 */
export function shortened(listing: PublicListing): PublicListing {
  if (briefCost(listing) <= ENTRY_TOKENS) return listing;
  const { url, goUrl } = listing;
  const short = { ...listing, url: url.length > goUrl.length ? goUrl : url };
  const left = ENTRY_TOKENS - briefCost({ ...short, tagline: "…" });
  const cost = (start: string) => jsonTokens(start) + jsonTokens(escapeMarkdown(start));
  const { text, clipped } = clip(listing.tagline, left, cost);
  return { ...short, tagline: clipped ? `${text}…` : text };
}

/**
 * A listing's record. Its description is cut if the record, as data and text, would not fit in a
 * result with `taken` tokens of other content; `descriptionCut` says so, and `apiUrl` has the whole
 * description.
 */
export function clippedRecord(
  listing: PublicListing,
  taken = 0,
): PublicListing & { descriptionCut?: true } {
  if (listing.description === null) return listing;
  const others = { ...listing, description: null };
  const left = CONTENT_TOKENS - taken - jsonTokens(others) - jsonTokens(listingCard(others));
  const cost = (start: string) => jsonTokens(start) + jsonTokens(descriptionMarkdown(start));
  const { text, clipped } = clip(listing.description, left, cost);
  return clipped ? { ...listing, description: text, descriptionCut: true } : listing;
}

/** The Markdown card of a record from `clippedRecord`. */
export function recordText(record: PublicListing & { descriptionCut?: true }): string {
  const card = listingCard(record);
  return record.descriptionCut === undefined
    ? card
    : `${card.trimEnd()}\n\nRest of the description: <${record.apiUrl}>\n`;
}
