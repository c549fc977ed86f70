import type { Bitmap } from "./bitmap.ts";
import type { CatalogueListing, CataloguePage, CatalogueQuery } from "./catalogue_types.ts";
import { FilteredLists, type ListBasis } from "./filtered_lists.ts";
import { type FIELDS, FILTERS, keyOf } from "./filters.ts";
import { cut, intersection, type Part, pick, walk, WHOLE } from "./parts.ts";
import type { Named, Postings } from "./postings.ts";
import type { SearchIndex } from "./search_index.ts";
import type { ShownPlacements } from "./shown_placements.ts";
import type { SortedSlots } from "./sorted_slots.ts";

type Field = (typeof FIELDS)[number];

/** Where the sets come from that filters match. */
export interface MatchSources {
  postings: Postings<CatalogueListing, Field>;
  shown: ShownPlacements;
  search: SearchIndex;
}

/** Finds the listings that pass a query's filters, in an order. */
export class Matches {
  readonly #postings: Postings<CatalogueListing, Field>;
  readonly #shown: ShownPlacements;
  readonly #search: SearchIndex;
  readonly #lists = new FilteredLists();
  #revision = 0;

  constructor({ postings, shown, search }: MatchSources) {
    this.#postings = postings;
    this.#shown = shown;
    this.#search = search;
  }

  /** Notes that a filter may match other listings than before. */
  expire(): void {
    this.#revision++;
  }

  /** A page of the listings that pass every filter. */
  page(query: CatalogueQuery, order: SortedSlots): CataloguePage {
    const { offset = 0, limit } = query;
    const part = { offset, limit };
    if (!FILTERS.some((name) => query[name] !== undefined)) return cut(order.slots(), part);
    return this.#lists.part(keyOf(query), {
      part,
      basis: this.#basis(order),
      some: () => this.#match(query, order, part),
      all: () => this.#match(query, order, WHOLE).slots,
    });
  }

  /** The first of them, as many as `limit`. No list is kept for further pages. */
  first(query: CatalogueQuery, order: SortedSlots): readonly number[] {
    return this.#match(query, order, { offset: 0, limit: query.limit }).slots;
  }

  #match(query: CatalogueQuery, order: SortedSlots, part: Part): CataloguePage {
    const named = this.#postings.named(query);
    if (named === null) return { slots: [], total: 0 };
    const others: Bitmap[] = [];
    if (query.promoted) others.push(this.#shown.promoted);
    if (query.gems) others.push(this.#shown.gems);
    let best: Uint32Array | undefined;
    if (query.q !== undefined) {
      const found = this.#search.query(query.q, { best: query.sort === "best" });
      others.push(found.slots);
      best = found.best;
    }
    if (others.length === 0 && named.length > 1) {
      const list = this.#under(named.slice(0, -1), query, order);
      if (list !== null) return cut(pick(order, list, named.at(-1)!.slots), part);
    }
    const members = intersection([...named.map(({ slots }) => slots), ...others]);
    if (best !== undefined) return cut(best.filter((slot) => members.has(slot)), part);
    const under = () => others.length > 0 ? this.#under(named, query, order) : null;
    return walk(order, members, part, () => under() ?? order.slots());
  }

  /**
   * The whole list under some fields of a query, fewest slots first. It is picked from the list
   * under all of them but the widest, and that under one field is made by a walk through the order,
   * when it is asked for again: null the first time.
   */
  #under(named: Named<Field>[], query: CatalogueQuery, order: SortedSlots): Uint32Array | null {
    const widest = named.at(-1);
    if (widest === undefined) return order.slots();
    const key = keyOf(query, named.map(({ field }) => field));
    const basis = this.#basis(order);
    if (named.length === 1) {
      return this.#lists.whole(key, { basis, all: () => walk(order, widest.slots, WHOLE).slots });
    }
    const kept = this.#lists.kept(key, basis);
    if (kept !== undefined) return kept;
    const list = this.#under(named.slice(0, -1), query, order);
    return list && this.#lists.keep(key, { basis, all: () => pick(order, list, widest.slots) });
  }

  #basis(order: SortedSlots): ListBasis {
    return [this.#revision, order.revision];
  }
}
