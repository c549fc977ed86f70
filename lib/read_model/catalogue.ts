import { atMost, type Clock } from "../clock.ts";
import { nextOffset } from "../http/paging.ts";
import { unavailable } from "../kv/retry.ts";
import { type SearchDocument, SearchIndex } from "../search/search_index.ts";
import { synonymTable } from "../search/synonym_table.ts";
import { Filters, type Values } from "./filters.ts";
import { Lists, type SearchPage, type Selected, type Selection, usualSort } from "./lists.ts";
import { type Explanation, Orders, type Sort } from "./orders.ts";
import type { Counts, Row } from "./row.ts";

/**
 * How many texts a search may index itself before it answers. If there are more, it waits for the
 * indexing that runs between other work.
 */
const FEW_UNINDEXED = 500;
/** How long (ms) it waits. */
const INDEX_WAIT_MS = 2_000;

/** What a catalogue needs to know of its entries. */
export interface CatalogueOptions<T, Field extends string, Public> {
  clock: Clock;
  sorts: readonly Sort[];
  /** The fields that lists are filtered by. */
  fields: readonly Field[];
  /** Under which values of them an entry is found. */
  valuesOf: (row: T) => Values<Field>;
  /** What search reads of an entry. */
  documentOf: (row: T) => SearchDocument;
  /** What a search may mean exactly: the keys of `documentOf`. */
  keysOf?: (q: string) => readonly string[];
  /** The form in which an entry leaves the service. It is made each time. */
  toPublic: (row: T) => Public;
}

/**
 * The read model behind lists, search and counts of one kind of entries: an object for each live
 * one, and orders, filters and a text index over them. It knows nothing of KV; `Sync` feeds it.
 */
export class Catalogue<T extends Row, Field extends string, Public> {
  readonly #options: CatalogueOptions<T, Field, Public>;
  readonly toPublic: (row: T) => Public;
  readonly #search: SearchIndex;
  #bySlug = new Map<string, T>();
  #orders: Orders<T>;
  #filters: Filters<Field>;
  #lists: Lists<Field>;
  #totals: Counts = { votes: 0, uses: 0 };
  #revision = 0;
  #setsRevision = 0;
  #isReady = true;

  constructor(options: CatalogueOptions<T, Field, Public>) {
    this.#options = options;
    this.toPublic = options.toPublic;
    this.#search = new SearchIndex({
      documentOf: (id) => options.documentOf(this.#orders.row(id)),
      synonyms: synonymTable,
      keysOf: options.keysOf,
    });
    [this.#orders, this.#filters, this.#lists] = this.#empty();
  }

  /** Empties it for a load. Until `endLoad` nothing is read from it but single entries, as unknown. */
  beginLoad(): void {
    this.#isReady = false;
    for (const { id } of this.#bySlug.values()) this.#search.remove(id);
    this.#bySlug = new Map();
    this.#totals = { votes: 0, uses: 0 };
    [this.#orders, this.#filters, this.#lists] = this.#empty();
    this.expire();
  }

  /** Ends a load: lists are right from here on. */
  endLoad(): void {
    this.#isReady = true;
  }

  /** Whether lists are right. Until then whatever needs more than one entry throws. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Rises with every visible change. Cached answers depend on it. NaN during a load. */
  get revision(): number {
    if (!this.#isReady) return NaN;
    this.settle();
    return this.#revision;
  }

  /** Rises whenever a filter may match others than before, but not with votes and uses. */
  get setsRevision(): number {
    this.settle();
    return this.#setsRevision;
  }

  /** Votes and uses of all entries together. */
  get totals(): Readonly<Counts> {
    this.settle();
    return this.#totals;
  }

  /** How many live entries there are. */
  get size(): number {
    this.settle();
    return this.#bySlug.size;
  }

  has(slug: string): boolean {
    this.settle();
    return this.#bySlug.has(slug);
  }

  /** A live entry, or undefined where this process does not know it, as during a load. */
  row(slug: string): T | undefined {
    if (!this.#isReady) return undefined;
    this.settle();
    return this.at(slug);
  }

  /** The same as it leaves the service. */
  get(slug: string): Public | undefined {
    const row = this.row(slug);
    return row && this.toPublic(row);
  }

  /** An entry's counts; 0 of unknown slugs. */
  countsOf(slug: string): Counts {
    const { votes = 0, uses = 0 } = this.at(slug) ?? {};
    return { votes, uses };
  }

  /** All entries, the newest first. */
  rows(): T[] {
    this.settle();
    return this.#orders.rows();
  }

  /** The time (ms) of the ranking that hot lists show now, at most a second ago. */
  get rankedAt(): number {
    this.settle();
    this.#orders.rank(this.#options.clock.now());
    return this.#orders.rankedAt;
  }

  /** Adds a live entry, or a new form of one. */
  put(row: T): void {
    const known = this.#bySlug.get(row.slug);
    if (known === undefined) this.#orders.insert(row);
    else this.#orders.replace(known, row);
    this.#file(row, known);
    this.expire();
  }

  /** Takes in one of many, as `put`; `sort` must follow, and nothing else may be changed before. */
  append(row: T): void {
    const known = this.at(row.slug);
    this.#orders.append(row, known);
    this.#file(row, known);
  }

  /** Sorts what was appended, with pauses for other work. */
  async sort(): Promise<void> {
    await this.#orders.sort(this.#options.clock.now());
    this.expire();
  }

  /** Removes an entry; unknown slugs are ignored. */
  remove(slug: string): void {
    const row = this.#bySlug.get(slug);
    if (row === undefined) return;
    this.#unfile(row);
    this.#bySlug.delete(slug);
    this.#search.remove(row.id);
    this.#orders.remove(row);
    this.expire();
  }

  /** Changes what an entry is filed under, and nothing that orders or search read. */
  refile(row: T, change: () => void): void {
    const { valuesOf } = this.#options;
    this.#filters.remove(row.id, valuesOf(row));
    change();
    this.#filters.add(row.id, valuesOf(row));
    this.#setsRevision++;
  }

  /** Sets an entry's counts; unknown slugs are ignored. */
  count(slug: string, change: (now: Counts) => Partial<Counts>): void {
    const row = this.#bySlug.get(slug);
    if (row === undefined) return;
    const { votes, uses } = row;
    this.#orders.count(row, { votes, uses, ...change(row) });
    this.#totals.votes += row.votes - votes;
    this.#totals.uses += row.uses - uses;
    this.#revision++;
  }

  /** Notes that something changed that filters or search may see. */
  expire(): void {
    this.#revision++;
    this.#setsRevision++;
  }

  /** A part of the entries that pass all filters. */
  select(query: Selection<Field>): Selected<T> {
    this.settle();
    const { q, limit, offset = 0, sort = usualSort(query) } = query;
    if (sort === "hot") this.#orders.rank(this.#options.clock.now());
    const order = this.#orders.order(sort === "best" ? "hot" : sort);
    const ids = this.#lists.list(query, { sort, order, revision: this.#setsRevision });
    const rows = this.#rowsOf(ids.subarray(offset, offset + limit));
    if (q === undefined) return { rows, total: ids.length };
    const { isNearest } = this.#lists.found(q, this.#setsRevision);
    // The nearest are by closeness, whatever was asked for.
    const search = { sort: isNearest ? "best" : sort, nearest: isNearest } as const;
    return { rows, total: ids.length, search };
  }

  /** A part of them as a page. */
  list(query: Selection<Field>): SearchPage<Public> {
    const { limit, offset = 0 } = query;
    const { rows, total, search } = this.select(query);
    const items = rows.map(this.toPublic);
    return { items, total, limit, offset, nextOffset: nextOffset(total, limit, offset), ...search };
  }

  /** The same, once the texts are indexed that a search reads. Throws `storage_unavailable`. */
  async page(query: Selection<Field>): Promise<SearchPage<Public>> {
    await this.textReady(query);
    return this.list(query);
  }

  /** How well an entry matches a search. */
  matchOf(row: T, q: string): number {
    const { ids, scores } = this.#lists.found(q, this.#setsRevision);
    return scores[ids.indexOf(row.id)] ?? 0;
  }

  /** What the hot score of an entry is made of. */
  explain(row: T): Explanation {
    this.#orders.rank(this.#options.clock.now());
    return this.#orders.explain(row);
  }

  /** How many entries have each value of a field. */
  sizes(field: Field): ReadonlyMap<string, number> {
    this.settle();
    return this.#filters.sizes(field);
  }

  /** How many entries were created after a time (ms). */
  countAfter(time: number): number {
    this.settle();
    return this.#orders.countAfter(time);
  }

  /** The `limit` entries with the most votes among those created at a time (ms) or later. */
  topSince(since: number, limit: number): Public[] {
    this.settle();
    const recent = this.#orders.order("new").ids().subarray(0, this.countAfter(since - 1));
    const top = this.#orders.order("top").pick(recent, recent.length).subarray(0, limit);
    return this.#rowsOf(top).map(this.toPublic);
  }

  /** How many texts wait to be indexed. A search indexes them first. */
  get unindexed(): number {
    return this.#search.pending;
  }

  /** Indexes the texts for search, in slices between other work. */
  indexText(): Promise<void> {
    return this.#search.indexPending();
  }

  /** Has a search wait for its texts; throws `storage_unavailable` if that takes too long. */
  async textReady({ q }: { q?: string }): Promise<void> {
    if (q === undefined || this.unindexed <= FEW_UNINDEXED) return;
    await atMost(INDEX_WAIT_MS, this.indexText());
    if (this.unindexed > FEW_UNINDEXED) throw unavailable();
  }

  /** An entry as it was last settled, also during a load; for those who feed the catalogue. */
  at(slug: string): T | undefined {
    return this.#bySlug.get(slug);
  }

  /** Called before any read: updates what time changes. Throws `storage_unavailable` in a load. */
  protected settle(): void {
    if (!this.#isReady) throw unavailable();
    for (let row; (row = this.#orders.ahead(this.#options.clock.now()));) this.put(row);
  }

  #empty(): [Orders<T>, Filters<Field>, Lists<Field>] {
    const { sorts, fields } = this.#options;
    const filters = new Filters(fields);
    return [new Orders(sorts), filters, new Lists({ fields, filters, search: this.#search })];
  }

  #rowsOf(ids: Iterable<number>): T[] {
    return Array.from(ids, (id) => this.#orders.row(id));
  }

  #file(row: T, known: T | undefined): void {
    if (known !== undefined) this.#unfile(known);
    this.#bySlug.set(row.slug, row);
    this.#filters.add(row.id, this.#options.valuesOf(row));
    this.#totals.votes += row.votes;
    this.#totals.uses += row.uses;
    this.#search.add(row.id);
  }

  #unfile(row: T): void {
    this.#filters.remove(row.id, this.#options.valuesOf(row));
    this.#totals.votes -= row.votes;
    this.#totals.uses -= row.uses;
  }
}
