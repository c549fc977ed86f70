import type { Values } from "../read_model/filters.ts";
import type { Counts, Row } from "../read_model/row.ts";
import { hostOf } from "../text/addresses.ts";
import { escapeJsonSymbols } from "../text/escape.ts";
import { urlIdentity } from "../text/url_identity.ts";
import type { Urls } from "../urls.ts";
import { type Health, healthOf, type StoredHealth, UNSEEN } from "./health.ts";
import type { Placement } from "./placements.ts";
import { contentOf, liveOf } from "./public.ts";
import type { PublicListing, StoredGem, StoredListing } from "./schema.ts";

/** The filters of listing lists. */
export const FIELDS = ["category", "tool", "pricing", "tag", "promoted", "gems", "health"] as const;
/** A filter of listing lists. */
export type Field = (typeof FIELDS)[number];

/**
 * A live listing in the catalogue. What only an edit changes is one string: as separate objects it
 * took more memory, and a page of 30 took three times as long.
 */
export interface ListingRow extends Row {
  /** The JSON of `contentOf` without the brace at its end. */
  content: string;
  /** ms since the epoch. */
  updatedAt: number;
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
  const { slug, createdAt, updatedAt } = stored;
  const content = escapeJsonSymbols(JSON.stringify(contentOf(stored, description)));
  return {
    id: -1,
    slug,
    createdAt,
    updatedAt,
    votes,
    uses,
    content: content.slice(0, -1),
    placement: null,
    health: healthOf(stored, health),
  };
}

/** A live listing as stored in a snapshot. */
export interface PackedListing {
  row: Omit<ListingRow, "health"> & { health: Health | null };
  gem: StoredGem | null;
}

/** The fields of rows and of their content. A snapshot with others is not read. */
export const SHAPE = shapeOf({ url: "", accent: null } as StoredListing);

function shapeOf(stored: StoredListing): string {
  const row = rowOf(stored, { votes: 0, uses: 0, description: null, health: null });
  return [...Object.keys(contentOf(stored, null)), ...Object.keys(row)].join();
}

/** Packs a live listing for a snapshot. */
export function packed(row: ListingRow, gem: StoredGem | null): PackedListing {
  // All links that haven't been checked share one object.
  const health = row.health === UNSEEN ? null : row.health;
  return { row: { ...row, id: -1, placement: null, health }, gem };
}

/** The row of a listing from a snapshot. */
export function unpacked({ row }: PackedListing): ListingRow {
  return Object.assign(row, { health: row.health ?? UNSEEN });
}

/** The part of a listing's public form that only an edit changes. */
export function parsed({ content }: ListingRow): ReturnType<typeof contentOf> {
  return JSON.parse(`${content}}`);
}

/** Makes a listing's public form. */
export function toPublicListing(row: ListingRow, urls: Urls): PublicListing {
  return { ...parsed(row), ...liveOf(row, urls) };
}

/** The fields and values for filtering a listing. */
export function valuesOf(row: ListingRow): Values<Field> {
  const { category, pricing, builtWith, tags } = parsed(row);
  const { placement, health } = row;
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
    labels: [...tags, category].join(" "),
    tagline,
    // What a project was built with and its URL say least about what it does.
    description: [description, ...builtWith, hostname, hostOf(url), pathname, search].join(" "),
    gist: [...tags, tagline].join(" "),
    key: urlIdentity(url),
  };
}

/** The identity of a search that is an address, with or without its scheme. */
export function addressKey(q: string): string | undefined {
  const address = q.trim();
  const url = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  return URL.canParse(url) ? urlIdentity(url) : undefined;
}
