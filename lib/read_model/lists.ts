import { Lru } from "../cache/lru.ts";
import type { ListPage } from "../http/paging.ts";
import type { Found } from "../search/found.ts";
import type { SearchIndex } from "../search/search_index.ts";
import type { Filters } from "./filters.ts";
import type { Order } from "./order.ts";
import type { Sort } from "./sorts.ts";

/** The maximum number of ids cached in lists: 16 MB. */
const MAX_KEPT = 2_000_000;
/** The maximum number of ids cached from search results. */
const MAX_FOUND = 1_000_000;

/** List filters. An entry must pass every filter given. */
type Filtered<Field extends string> =
  & { readonly q?: string }
  & {
    readonly [F in Field]?: string;
  };

/**
 * What to list. An entry must pass every filter given. `best` sorts by relevance to `q`, and is the
 * default if there is a `q`.
 */
export type Selection<Field extends string> = Filtered<Field> & {
  readonly sort?: Sort | "best";
  readonly limit: number;
  readonly offset?: number;
};

/** A slice of a list. */
export interface Selected<T> {
  rows: T[];
  /** The total number of matches. */
  total: number;
  /** The order, and whether nothing matches a search well, so these are only the nearest. */
  search?: { sort: Sort | "best"; nearest: boolean };
}

/** A page of a list, with details of its search. */
export interface SearchPage<T> extends ListPage<T> {
  sort?: Sort | "best";
  nearest?: boolean;
}

/** Caches the ids of whole lists until their members or order change. */
export class Lists<Field extends string> {
  readonly #fields: readonly Field[];
  readonly #filters: Filters<Field>;
  readonly #search: SearchIndex;
  readonly #lists = new Lru<readonly number[]>({
    max: MAX_KEPT,
    sizeOf: (ids, name) => ids.length + name.length,
  });
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
   * The entries that pass a query's filters, or those found by its words too, sorted by an order.
   * `sort` names the order, and `revision` is the revision of filter and search results.
   */
  list(
    query: Filtered<Field>,
    { sort, order, revision, found }: {
      sort: string;
      order: Order;
      revision: number;
      found: Found | undefined;
    },
  ): readonly number[] {
    if (found === undefined && this.#fields.every((field) => query[field] === undefined)) {
      return order.ids();
    }
    const name = `${sort}\n${this.#keyOf(query)}`;
    const revisions = `${revision} ${order.revision}`;
    return this.#lists.get(name, revisions) ?? this.#lists.set(
      name,
      order.pick(found === undefined ? this.#filtered(query) : new Set(found.ids)),
      revisions,
    );
  }

  #filtered(query: Filtered<Field>): ReadonlySet<number> {
    const [fewest, ...others] = this.#filters.named(query);
    return others.length === 0
      ? fewest!
      : new Set([...fewest!].filter((id) => others.every((ids) => ids.has(id))));
  }

  /** The search results, best first. */
  found(query: Filtered<Field> & { q: string }, revision: number): Found {
    const key = this.#keyOf(query);
    return this.#found.get(key, revision) ??
      this.#found.set(key, this.#search.search(query.q, this.#filters.named(query)), revision);
  }

  /** Names a query's words and filters. */
  #keyOf(query: Filtered<Field>): string {
    return [query.q, ...this.#fields.map((field) => query[field])].join("\n");
  }
}

/** The default order of a list. */
export function usualSort({ q }: { q?: string }): "best" | "hot" {
  return q === undefined ? "hot" : "best";
}
