import { Lru } from "../cache/lru.ts";
import type { ListPage } from "../http/paging.ts";
import type { Found, SearchIndex } from "../search/search_index.ts";
import type { Filters, Ids } from "./filters.ts";
import type { Order } from "./order.ts";
import type { Sort } from "./orders.ts";

/** The most ids that are kept in lists, and in the matches of filters: 16 MB each. */
const MAX_KEPT = 4_000_000;
/** The most ids that are kept of what searches found. */
const MAX_FOUND = 1_000_000;
const KEPT = { max: MAX_KEPT, sizeOf: (ids: Uint32Array, key: string) => ids.length + key.length };

/** What lists are filtered by: each that is named must pass. */
export type Filtered<Field extends string> =
  & { readonly q?: string }
  & {
    readonly [F in Field]?: string;
  };

/**
 * What to list: each filter that is named must pass. `best` is the order of relevance to `q`, and
 * the usual one where there is a `q`.
 */
export type Selection<Field extends string> = Filtered<Field> & {
  readonly sort?: Sort | "best";
  readonly limit: number;
  readonly offset?: number;
};

/** A part of a list. */
export interface Selected<T> {
  rows: T[];
  /** How many match in all. */
  total: number;
  /** The order, and whether nothing matches a search well, so that these are only the nearest. */
  search?: { sort: Sort | "best"; nearest: boolean };
}

/** A page of a list, with what a search says of it. */
export interface SearchPage<T> extends ListPage<T> {
  sort?: Sort | "best";
  nearest?: boolean;
}

/**
 * The ids of whole lists, kept until their members or their order change. What filters match is kept
 * apart from the orders, which votes change.
 */
export class Lists<Field extends string> {
  readonly #fields: readonly Field[];
  readonly #filters: Filters<Field>;
  readonly #search: SearchIndex;
  readonly #matches = new Lru<Uint32Array>(KEPT);
  readonly #lists = new Lru<Uint32Array>(KEPT);
  readonly #found = new Lru<Found>({
    max: MAX_FOUND,
    sizeOf: ({ ids }, q) => ids.length + q.length,
  });

  constructor({ fields, filters, search }: {
    fields: readonly Field[];
    filters: Filters<Field>;
    search: SearchIndex;
  }) {
    this.#fields = fields;
    this.#filters = filters;
    this.#search = search;
  }

  /**
   * What passes the filters of a query, in an order, or by relevance to its words if these are
   * `best`. `sort` names which, and `revision` says what was found by filters and words.
   */
  list(
    query: Filtered<Field>,
    { sort, order, revision }: { sort: string; order: Order; revision: number },
  ): Uint32Array {
    const filters = this.#fields.map((field) => query[field]);
    if (query.q === undefined && filters.every((value) => value === undefined)) return order.ids();
    const key = [query.q, ...filters].join("\n");
    const name = `${sort}\n${key}`;
    const revisions = `${revision} ${order.revision}`;
    const kept = this.#lists.get(name, revisions);
    if (kept !== undefined) return kept;
    const list = query.q === undefined
      ? this.#filtered(query, { key, order, revision })
      : this.#searched(this.found(query.q, revision), query, { sort, order });
    return this.#lists.set(name, list, revisions);
  }

  #filtered(
    query: Filtered<Field>,
    { key, order, revision }: { key: string; order: Order; revision: number },
  ): Uint32Array {
    const [fewest, ...others] = this.#filters.named(query);
    if (others.length === 0) return order.pick(fewest!, fewest!.size);
    const matches = this.#matches.get(key, revision) ??
      this.#matches.set(key, idsIn(fewest!, others), revision);
    return order.pick(matches, matches.length);
  }

  /** What a search finds, whatever the filters. */
  found(q: string, revision: number): Found {
    return this.#found.get(q, revision) ?? this.#found.set(q, this.#search.search(q), revision);
  }

  #searched(
    { ids, isNearest }: Found,
    query: Filtered<Field>,
    { sort, order }: { sort: string; order: Order },
  ): Uint32Array {
    const found = idsIn(ids, this.#filters.named(query));
    return sort === "best" || isNearest ? found : order.pick(found, found.length);
  }
}

/** Those of some ids that all sets have, in their order. */
function idsIn(ids: Iterable<number>, sets: readonly Ids[]): Uint32Array {
  if (ids instanceof Uint32Array && sets.length === 0) return ids;
  const found: number[] = [];
  next: for (const id of ids) {
    for (const set of sets) if (!set.has(id)) continue next;
    found.push(id);
  }
  return Uint32Array.from(found);
}

/** The order of a list whose query names none. */
export function usualSort({ q }: { q?: string }): "best" | "hot" {
  return q === undefined ? "hot" : "best";
}
