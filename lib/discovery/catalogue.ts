import type { Clock } from "../clock.ts";
import { type ListPage, nextOffset } from "../http/paging.ts";
import type { PublicListing, StoredGem } from "../listings/schema.ts";
import type { FeaturedCandidate } from "../promotions/featured.ts";
import type {
  CatalogueCounts,
  CatalogueEntry,
  CataloguePage,
  CatalogueQuery,
  CatalogueSort,
  Explanation,
} from "./catalogue_types.ts";
import { FIELDS, filedUnder } from "./filters.ts";
import { Matches } from "./matches.ts";
import { type FrontRowPeriod, Placements, type PlacementSpan } from "./placements.ts";
import { Postings } from "./postings.ts";
import { RankingOrders } from "./ranking_orders.ts";
import { type Records, RecordStore } from "./record_store.ts";
import { searchDocument } from "./search_document.ts";
import { SearchIndex } from "./search_index.ts";
import { ShownPlacements } from "./shown_placements.ts";
import type { SortedSlots } from "./sorted_slots.ts";

/**
 * The read model behind lists, search, trending and counts: every live listing's public record as a
 * string, and the numbers to filter and order by. It knows nothing of KV; `sync.ts` feeds it.
 */
export class Catalogue {
  readonly #clock: Clock;
  readonly #ranking = new RankingOrders();
  readonly #slotOf = new Map<string, number>();
  readonly #free: number[] = [];
  readonly #records = new RecordStore((slot) => this.#ranking.counts(slot));
  readonly #postings = new Postings(FIELDS, filedUnder);
  readonly #placements = new Placements();
  readonly #shown = new ShownPlacements({
    placements: this.#placements,
    records: this.#records,
    find: (slug) => {
      const slot = this.#slotOf.get(slug);
      return slot === undefined ? undefined : { slot, createdAt: this.#ranking.createdAt(slot) };
    },
  });
  readonly #search = new SearchIndex(
    (slot) => searchDocument(this.#records.text(slot)),
    () => this.#changed(),
  );
  #slots = 0;
  #revision = 0;
  readonly #matches = new Matches({
    postings: this.#postings,
    search: this.#search,
    flags: { promoted: this.#shown.promoted, gems: this.#shown.gems },
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Rises with every visible change, including those that only the passing of time causes. Cached
   * answers depend on it.
   */
  get revision(): number {
    this.#place(this.#clock.now());
    return this.#revision;
  }

  /** The time (ms) of the ranking that hot lists show now, at most a second ago. */
  get rankedAt(): number {
    this.#ranking.rank(this.#clock.now());
    return this.#ranking.rankedAt;
  }

  /** Adds a live listing or changes it. */
  upsert(entry: CatalogueEntry): void {
    const { listing } = entry;
    const known = this.#slotOf.get(listing.slug);
    const slot = known ?? this.#free.pop() ?? this.#slots++;
    const counts = known === undefined ? { votes: 0, clicks: 0 } : this.#ranking.counts(slot);
    const { votes = counts.votes, clicks = counts.clicks } = entry;
    if (known !== undefined) this.#unfile(slot);
    const { slug, createdAt } = listing;
    this.#slotOf.set(slug, slot);
    this.#records.set(slot, entry.record);
    this.#postings.add(slot, listing);
    this.#ranking.insert(slot, { slug, createdAt, votes, clicks });
    this.#search.add(slot);
    this.#changed(slug);
  }

  /** Removes a listing; unknown slugs are ignored. */
  remove(slug: string): void {
    const slot = this.#slotOf.get(slug);
    if (slot === undefined) return;
    this.#unfile(slot);
    this.#search.remove(slot);
    this.#slotOf.delete(slug);
    this.#records.delete(slot);
    this.#free.push(slot);
    this.#changed(slug);
  }

  /** Adds to a listing's vote count; unknown slugs are ignored. */
  addVotes(slug: string, delta: number): void {
    this.#count(slug, ({ votes }) => ({ votes: votes + delta }));
  }

  /** A listing's vote count; 0 of unknown slugs. */
  votes(slug: string): number {
    const slot = this.#slotOf.get(slug);
    return slot === undefined ? 0 : this.#ranking.counts(slot).votes;
  }

  /** Adds to a listing's click count; unknown slugs are ignored. */
  addClicks(slug: string, delta: number): void {
    this.#count(slug, ({ clicks }) => ({ clicks: clicks + delta }));
  }

  /** Sets both counts, as read from KV; unknown slugs are ignored. */
  setCounts(slug: string, counts: { votes: number; clicks: number }): void {
    this.#count(slug, () => counts);
  }

  /** Sets when a listing's paid tiers run; an empty list where nothing was ever bought. */
  setPromotion(slug: string, spans: readonly PlacementSpan[]): void {
    this.#placements.setPromotion(slug, spans);
    this.#changed(slug);
  }

  /** Sets or drops a gem. */
  setGem(slug: string, gem: StoredGem | null): void {
    if (this.#placements.setGem(slug, gem)) this.#changed(slug);
  }

  /** Sets who holds the Front Row when, past periods included. */
  setFrontRow(periods: readonly FrontRowPeriod[]): void {
    this.#changed(...this.#placements.setFrontRow(periods));
  }

  /**
   * Starts a load of many listings. Until `endLoad` the orders are not kept, since they are sorted
   * once.
   */
  startLoad(): void {
    this.#ranking.startBulk();
  }

  /** Ends a load: sorts the orders. Lists are right from here on. */
  endLoad(): void {
    this.#ranking.endBulk(this.#clock.now());
  }

  /** Indexes the text of the loaded listings, in slices between other work. */
  indexText(): Promise<void> {
    return this.#search.indexPending();
  }

  /** How many listings' texts wait to be indexed. A search indexes them first. */
  get unindexed(): number {
    return this.#search.pending;
  }

  /** How many live listings there are. */
  get size(): number {
    return this.#slotOf.size;
  }

  has(slug: string): boolean {
    return this.#slotOf.has(slug);
  }

  /** The public record of a live listing as JSON, or undefined. */
  find(slug: string): string | undefined {
    const slot = this.#slotOf.get(slug);
    if (slot === undefined) return undefined;
    this.#place(this.#clock.now());
    return this.record(slot);
  }

  /** A live listing, or undefined where this process does not know it. */
  get(slug: string): PublicListing | undefined {
    const record = this.find(slug);
    return record === undefined ? undefined : JSON.parse(record);
  }

  /** One page of the live listings that pass every filter, in the order asked for. */
  list(query: CatalogueQuery): ListPage<PublicListing> {
    const { limit, offset = 0 } = query;
    const { slots, total } = this.select(query);
    const items: PublicListing[] = JSON.parse(`[${this.records(slots).texts.join(",")}]`);
    return { items, total, limit, offset, nextOffset: nextOffset(total, limit, offset) };
  }

  /** The listings that have some words of a search that finds nothing, at most `limit`, the best first. */
  nearest(q: string, limit: number): PublicListing[] {
    this.#place(this.#clock.now());
    return this.#search.nearest(q, limit).map((slot) => JSON.parse(this.record(slot)));
  }

  /**
   * Finds a page as `list` does, but returns slots instead of parsed records. API answers join the
   * records' texts instead.
   */
  select(query: CatalogueQuery): CataloguePage {
    return this.#matches.page(query, this.#order(query.sort));
  }

  /** The slots of the hottest listings with a tag or category. No list is kept for further pages. */
  hottest(query: { tag: string } | { category: string }, limit: number): readonly number[] {
    return this.#matches.first({ ...query, limit }, this.#order("hot"));
  }

  /** The public record at a slot of the last page, as JSON. */
  record(slot: number): string {
    return this.#records.text(slot);
  }

  /** The public records at slots of the last page. */
  records(slots: readonly number[]): Records {
    return this.#records.page(slots);
  }

  /** The slug at a slot of the last page. */
  slug(slot: number): string {
    return this.#ranking.slug(slot);
  }

  /** What the hot score at a slot is made of. */
  explain(slot: number): Explanation {
    this.#ranking.rank(this.#clock.now());
    return this.#ranking.explain(slot);
  }

  /** Whether a listing was ever promoted or sponsored. */
  isPaidFor(slug: string): boolean {
    return this.#placements.isPaidFor(slug, this.#clock.now());
  }

  /** The slug of the live listing that holds the Front Row, or null. */
  get frontRow(): string | null {
    this.#place(this.#clock.now());
    return this.#shown.frontRow;
  }

  /** The live listings that are promoted now, in the order of the strip. */
  get promotions(): readonly FeaturedCandidate[] {
    this.#place(this.#clock.now());
    return this.#shown.promotions;
  }

  counts(): CatalogueCounts {
    return {
      listings: this.size,
      ...this.#ranking.totals,
      categories: this.#postings.sizes("category"),
      tools: this.#postings.sizes("tool"),
      pricing: this.#postings.sizes("pricing"),
    };
  }

  /** Frees what the search index holds outside of the heap. */
  close(): void {
    this.#search.close();
  }

  /** All listings in an order, as they stand now. */
  #order(sort: CatalogueSort = "hot"): SortedSlots {
    const now = this.#clock.now();
    this.#place(now);
    if (sort === "hot" || sort === "best") this.#ranking.rank(now);
    return this.#ranking.order(sort === "best" ? "hot" : sort);
  }

  /** Notes that something changed, and which listings. */
  #changed(...slugs: string[]): void {
    this.#revision++;
    this.#matches.expire();
    for (const slug of slugs) this.#shown.expire(slug);
  }

  /** Takes a slot out of orders, postings and totals. Its record must still be in place. */
  #unfile(slot: number): void {
    this.#ranking.remove(slot);
    this.#postings.remove(slot, JSON.parse(this.#records.text(slot)));
  }

  #count(
    slug: string,
    counts: (now: { votes: number; clicks: number }) => { votes?: number; clicks?: number },
  ): void {
    const slot = this.#slotOf.get(slug);
    if (slot === undefined) return;
    this.#ranking.count(slot, counts(this.#ranking.counts(slot)));
    this.#records.expire(slot);
    this.#revision++;
  }

  /** Brings promotions, gems and the Front Row up to `now`. */
  #place(now: number): void {
    const cause = this.#shown.update(now);
    if (cause === null) return;
    this.#matches.expire();
    if (cause === "time") this.#revision++;
  }
}
