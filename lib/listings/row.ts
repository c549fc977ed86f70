import { isoTime } from "../clock.ts";
import type { Values } from "../read_model/filters.ts";
import type { Counts, Row } from "../read_model/row.ts";
import { hostOf } from "../text/addresses.ts";
import { escapeJsonSymbols } from "../text/escape.ts";
import { urlIdentity } from "../text/url_identity.ts";
import type { Urls } from "../urls.ts";
import { type Health, healthOf, type StoredHealth, UNSEEN } from "./health.ts";
import type { Placement } from "./placements.ts";
import { contentOf, livePart } from "./public.ts";
import type { StoredGem, StoredListing } from "./schema.ts";

/** The filters of listing lists. */
export const FIELDS = ["category", "tool", "pricing", "tag", "promoted", "gems", "health"] as const;
/** One of them. */
export type Field = (typeof FIELDS)[number];

/**
 * A live listing in the catalogue. Its shown texts are one string: as separate objects they took
 * more memory, and a page of 30 took three times as long.
 */
export interface ListingRow extends Row {
  category: string | null;
  pricing: string | null;
  builtWith: readonly string[];
  tags: readonly string[];
  /** The JSON of `contentOf` without the brace at its end. */
  content: string;
  /** Its creation time as text, once shown. */
  createdText: string | undefined;
  /** Its edit time as text; null if never edited. */
  editedText: string | null;
  placement: Placement | null;
  health: Health;
}

/** Makes the row of a live listing. */
export function rowOf(
  stored: StoredListing,
  { votes, uses, description, health }: Counts & {
    description: string | null;
    health: StoredHealth | null;
  },
): ListingRow {
  const { slug, createdAt, category, pricing, builtWith, tags } = stored;
  const content = escapeJsonSymbols(JSON.stringify(contentOf(stored, description)));
  return unpacked([
    slug,
    createdAt,
    votes,
    uses,
    category,
    pricing,
    builtWith,
    tags,
    content.slice(0, -1),
    stored.updatedAt === createdAt ? null : isoTime(stored.updatedAt),
    null,
    healthOf(stored, health),
  ]);
}

/** Rows store the output of `contentOf`, so a snapshot with other fields is not read. */
export const SHAPE = [...Object.keys(contentOf({ accent: null } as StoredListing, null)), "health"]
  .join();

/** A live listing as stored in a snapshot. */
export function packed(row: ListingRow, gem: StoredGem | null) {
  const { slug, createdAt, votes, uses, category, pricing, builtWith, tags, content } = row;
  return [
    slug,
    createdAt,
    votes,
    uses,
    category,
    pricing,
    builtWith,
    tags,
    content,
    row.editedText,
    gem,
    // All links that nobody has looked at share one object.
    row.health === UNSEEN ? null : row.health,
  ] as const;
}

/** A live listing in a snapshot. */
export type PackedListing = ReturnType<typeof packed>;

/** The row of a listing from a snapshot. */
export function unpacked(entry: PackedListing): ListingRow {
  const [
    slug,
    createdAt,
    votes,
    uses,
    category,
    pricing,
    builtWith,
    tags,
    content,
    editedText,
    ,
    health,
  ] = entry;
  return {
    id: -1,
    slug,
    createdAt,
    votes,
    uses,
    category,
    pricing,
    builtWith,
    tags,
    content,
    createdText: undefined,
    editedText,
    placement: null,
    health: health ?? UNSEEN,
  };
}

/** The part of a listing's public form that only an edit changes. */
export function parsed({ content }: ListingRow): ReturnType<typeof contentOf> {
  return JSON.parse(`${content}}`);
}

/** The other part. */
export function liveOf(row: ListingRow, urls: Urls): ReturnType<typeof livePart> {
  const { slug, votes, uses: clicks, placement, health } = row;
  const createdAt = row.createdText ??= isoTime(row.createdAt);
  const updatedAt = row.editedText ?? createdAt;
  return livePart({ slug, votes, clicks, placement, health, createdAt, updatedAt }, urls);
}

/** The fields and values for filtering a listing. */
export function valuesOf(
  { category, pricing, builtWith, tags, placement, health }: ListingRow,
): Values<Field> {
  return {
    category: category === null ? NONE : [category],
    pricing: pricing === null ? NONE : [pricing],
    tool: builtWith,
    tag: tags,
    promoted: placement?.promotion ? YES : NONE,
    gems: placement?.gem ? YES : NONE,
    health: [health.state],
  };
}

const NONE: readonly string[] = [];
const YES: readonly string[] = ["1"];

/** The document that search reads for a listing. */
export function documentOf(row: ListingRow) {
  const { name, url, tagline, description, category, tags, builtWith } = parsed(row);
  const { hostname, pathname, search } = new URL(url);
  return {
    name,
    labels: [...tags, ...builtWith, category, hostname, hostOf(url), pathname, search].join(" "),
    tagline,
    description: description ?? "",
    keys: [urlIdentity(url)],
  };
}

/** The identity of a search that is an address, with or without its scheme. */
export function addressKeys(q: string): string[] {
  const address = q.trim();
  if (/\s/.test(address) || !/[.:]/.test(address)) return [];
  const url = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  return URL.canParse(url) ? [urlIdentity(url)] : [];
}
