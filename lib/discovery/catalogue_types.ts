/** What the catalogue needs to know of a listing beside its public record. */
export interface CatalogueListing {
  slug: string;
  category: string | null;
  tags: readonly string[];
  builtWith: readonly string[];
  pricing: string | null;
  /** ms since the epoch. */
  createdAt: number;
}

/**
 * One live listing as it enters the catalogue. `record` is its public record as JSON with no placement
 * (`toPublicListing`), made once per change. Absent counts keep what is known, else 0.
 */
export interface CatalogueEntry {
  listing: CatalogueListing;
  record: string;
  votes?: number;
  clicks?: number;
}

/** The orders of lists; `best` (relevance to q) is offered by the site's search page alone. */
export type CatalogueSort = "hot" | "new" | "top" | "best";

/** What to list; absent filters let everything pass. */
export interface CatalogueQuery {
  sort?: CatalogueSort;
  category?: string;
  tool?: string;
  pricing?: string;
  tag?: string;
  q?: string;
  promoted?: "1" | true;
  gems?: "1" | true;
  limit: number;
  offset?: number;
}

/**
 * A part of a list, as slots. Read them with `record`, `slug` or `explain` before the catalogue
 * changes.
 */
export interface CataloguePage {
  slots: number[];
  /** How many match in all. */
  total: number;
}

/** The parts of a listing's hot score, as of the ranking that the order comes from. */
export interface Explanation {
  votes: number;
  clicks: number;
  ageHours: number;
  score: number;
}

/** How many live listings there are, in all and by field. */
export interface CatalogueCounts {
  listings: number;
  votes: number;
  clicks: number;
  categories: ReadonlyMap<string, number>;
  tools: ReadonlyMap<string, number>;
  pricing: ReadonlyMap<string, number>;
}
