import { atMost, type Clock, CLOCK_SKEW_MS } from "../clock.ts";
import { nextOffset } from "../http/paging.ts";
import { unavailable } from "../kv/retry.ts";
import type { SearchDocument } from "../search/document.ts";
import { SearchIndex } from "../search/search_index.ts";
import { Filters, type Values } from "./filters.ts";
import { Lists, type SearchPage, type Selected, type Selection, usualSort } from "./lists.ts";
import { Orders } from "./orders.ts";
import type { Counts, Row } from "./row.ts";
import type { Sort } from "./sorts.ts";

/**
 * The maximum number of texts a search indexes itself before it answers. With more pending, it
 * waits for background indexing.
 */
const FEW_UNINDEXED = 500;
/** How long (ms) it waits. */
const INDEX_WAIT_MS = 2_000;

/** How many similar entries an entry's page shows. */
const ALIKE_SHOWN = 6;

/** What a catalogue needs to know about its entries. */
interface CatalogueOptions<T, Field extends string, Public> {
  clock: Clock;
  sorts: readonly Sort[];
  /** The fields lists can filter by. */
  fields: readonly Field[];
  /** An entry's values for these fields. */
  valuesOf: (row: T) => Values<Field>;
  /** The text of an entry that search reads. */
  documentOf: (row: T) => SearchDocument;
  /** The key of `documentOf` that a search may mean. */
  keyOf?: (q: string) => string | undefined;
  /** The public form of an entry, rebuilt each time. */
  toPublic: (row: T) => Public;
}

/**
 * The read model behind lists, search and counts for one kind of entry: an object per live entry,
 * with orders, filters and a text index. It knows nothing of KV; `Sync` feeds it.
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
  /** Increases when filter matches may change, but not with votes and uses. */
  #setsRevision = 0;
  #isReady = true;

  constructor(options: CatalogueOptions<T, Field, Public>) {
    this.#options = options;
    this.toPublic = options.toPublic;
    this.#search = new SearchIndex({
      documentOf: (id) => options.documentOf(this.#orders.row(id)),
      keyOf: options.keyOf,
      tieOrder: () => this.#orders.order("new").ids(),
    });
    [this.#orders, this.#filters, this.#lists] = this.#empty();
  }

  /** Empties it for a load. Until `endLoad`, `row` and `get` know no entry; lists and `has` throw. */
  beginLoad(): void {
    this.#isReady = false;
    for (const { id } of this.#bySlug.values()) this.#search.remove(id);
    this.#bySlug = new Map();
    this.#totals = { votes: 0, uses: 0 };
    [this.#orders, this.#filters, this.#lists] = this.#empty();
    this.expire();
  }

  /** Ends a load. */
  endLoad(): void {
    this.#isReady = true;
  }

  /** False during a load. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Increases with every visible change; cached responses depend on it. NaN during a load. */
  get revision(): number {
    if (!this.#isReady) return NaN;
    this.refresh();
    return this.#revision;
  }

  /** Total votes and uses of all entries. */
  get totals(): Readonly<Counts> {
    this.refresh();
    return this.#totals;
  }

  /** The number of live entries. */
  get size(): number {
    this.refresh();
    return this.#bySlug.size;
  }

  has(slug: string): boolean {
    this.refresh();
    return this.#bySlug.has(slug);
  }

  /** A live entry, or undefined if this process doesn't know it, as during a load. */
  row(slug: string): T | undefined {
    if (!this.#isReady) return undefined;
    this.refresh();
    return this.at(slug);
  }

  /** The entry in its public form. */
  get(slug: string): Public | undefined {
    const row = this.row(slug);
    return row && this.toPublic(row);
  }

  /** An entry's counts; 0 for unknown slugs. */
  countsOf(slug: string): Counts {
    const { votes = 0, uses = 0 } = this.at(slug) ?? {};
    return { votes, uses };
  }

  /** All entries, newest first. */
  rows(): T[] {
    this.refresh();
    return this.#orders.rows();
  }

  /** The time (ms) of the current hot ranking, up to a second ago. */
  get rankedAt(): number {
    this.refresh();
    this.#orders.rank(this.#options.clock.now());
    return this.#orders.rankedAt;
  }

  /** Adds or updates a live entry. */
  put(row: T): void {
    const known = this.#bySlug.get(row.slug);
    this.#orders.put(row, known);
    this.#file(row, known);
    this.expire();
  }

  /** Removes an entry. Even an unknown one may be in responses that were made from KV. */
  remove(slug: string): void {
    this.expire();
    const row = this.#bySlug.get(slug);
    if (row === undefined) return;
    this.#unfile(row);
    this.#bySlug.delete(slug);
    this.#search.remove(row.id);
    this.#orders.remove(row);
  }

  /** Updates an entry's filter values when nothing used by orders or search has changed. */
  refile(row: T, change: () => void): void {
    const { valuesOf } = this.#options;
    this.#filters.remove(row.id, valuesOf(row));
    change();
    this.#filters.add(row.id, valuesOf(row));
    this.#setsRevision++;
  }

  /** Sets an entry's counts; ignores unknown slugs. */
  count(slug: string, change: (now: Counts) => Partial<Counts>): void {
    const row = this.#bySlug.get(slug);
    if (row === undefined) return;
    const { votes, uses } = row;
    this.#orders.count(row, { votes, uses, ...change(row) });
    this.#totals.votes += row.votes - votes;
    this.#totals.uses += row.uses - uses;
    this.#revision++;
  }

  /** Records a change that filters or search may see. */
  expire(): void {
    this.#revision++;
    this.#setsRevision++;
  }

  /** A slice of the entries that pass all filters. */
  select(query: Selection<Field>): Selected<T> {
    this.refresh();
    const { q, limit, offset = 0 } = query;
    const revision = this.#setsRevision;
    const found = q === undefined ? undefined : this.#lists.found({ ...query, q }, revision);
    // Nearest matches are sorted by relevance, whatever the requested order.
    const sort = found?.isNearest ? "best" : query.sort ?? usualSort(query);
    if (sort === "hot") this.#orders.rank(this.#options.clock.now());
    const order = this.#orders.order(sort === "best" ? "hot" : sort);
    const ids = found && sort === "best"
      ? found.ids
      : this.#lists.list(query, { sort, order, revision, found });
    const rows = this.#rowsOf(ids.slice(offset, offset + limit));
    return { rows, total: ids.length, search: found && { sort, nearest: found.isNearest } };
  }

  /** Like `select`, as a page. */
  list(query: Selection<Field>): SearchPage<Public> {
    const { limit, offset = 0 } = query;
    const { rows, total, search } = this.select(query);
    const items = rows.map(this.toPublic);
    return { items, total, limit, offset, nextOffset: nextOffset(total, limit, offset), ...search };
  }

  /** Like `list`, once the texts for its search are indexed. Throws `storage_unavailable`. */
  async page(query: Selection<Field>): Promise<SearchPage<Public>> {
    await this.textReady(query);
    return this.list(query);
  }

  /** How well an entry in a list matches its search. */
  matchOf(row: T, query: Selection<Field> & { q: string }): number {
    const { ids, scores } = this.#lists.found(query, this.#setsRevision);
    return scores[ids.indexOf(row.id)] ?? 0;
  }

  /** The parts of an entry's hot score. */
  explain(row: T) {
    this.#orders.rank(this.#options.clock.now());
    return this.#orders.explain(row);
  }

  /** A few entries similar to one, best first. If many texts aren't indexed, none until they are. */
  alike(slug: string): Public[] {
    const row = this.row(slug);
    const isBehind = this.unindexed > FEW_UNINDEXED;
    if (isBehind) this.indexText();
    if (row === undefined || isBehind) return [];
    return this.#rowsOf(this.#search.alike(row.id).slice(0, ALIKE_SHOWN)).map(this.toPublic);
  }

  /** The number of entries for each value of a field. */
  sizes(field: Field): ReadonlyMap<string, number> {
    this.refresh();
    return this.#filters.sizes(field);
  }

  /** The number of entries created after a time (ms). */
  countAfter(time: number): number {
    this.refresh();
    return this.#orders.after(time).length;
  }

  /** The `limit` entries with the most votes, among those created at or after a time (ms). */
  topSince(since: number, limit: number): Public[] {
    this.refresh();
    const top = this.#orders.order("top").ids().values()
      .filter((id) => this.#orders.row(id).createdAt >= since).take(limit);
    return this.#rowsOf(top).map(this.toPublic);
  }

  /** The number of texts waiting to be indexed. A search indexes them first. */
  get unindexed(): number {
    return this.#search.pending;
  }

  /** Indexes texts for search in slices, yielding to other work. */
  indexText(): Promise<void> {
    return this.#search.indexPending();
  }

  /** Makes a search wait for its texts. Throws `storage_unavailable` if that takes too long. */
  async textReady({ q }: { q?: string }): Promise<void> {
    if (q === undefined || this.unindexed <= FEW_UNINDEXED) return;
    await atMost(INDEX_WAIT_MS, this.indexText());
    if (this.unindexed > FEW_UNINDEXED) throw unavailable();
  }

  /** An entry as of the last refresh, even during a load; for code that feeds the catalogue. */
  at(slug: string): T | undefined {
    return this.#bySlug.get(slug);
  }

  /**
   * Prepares for a read. An entry dated in the future by a wrong clock would lead every order, so
   * it gets the current time. Throws `storage_unavailable` during a load.
   */
  protected refresh(): void {
    if (!this.#isReady) throw unavailable();
    const now = this.#options.clock.now();
    const ahead = this.#orders.after(now + CLOCK_SKEW_MS);
    for (const id of ahead) this.put({ ...this.#orders.row(id), createdAt: now });
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
