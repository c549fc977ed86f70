import type { Bitmap } from "./bitmap.ts";
import type { CataloguePage } from "./catalogue_types.ts";
import { FilteredLists, keyOf, type ListBasis } from "./filtered_lists.ts";
import { cut, intersection, type Part, pick, walk, WHOLE } from "./parts.ts";
import type { Named, Postings } from "./postings.ts";
import type { SearchIndex } from "./search_index.ts";
import type { SortedSlots } from "./sorted_slots.ts";

/** The values of fields, the words, and the named sets (`Flag`) that entries must have or be in. */
type Query<Field extends string, Flag extends string> =
  & { readonly sort?: string; readonly q?: string }
  & { readonly limit: number; readonly offset?: number }
  & { readonly [F in Field]?: string }
  & { readonly [F in Flag]?: unknown };

/** Finds the entries of a catalogue that pass a query's filters, in an order. */
export class Matches<Item, Field extends string, Flag extends string = never> {
  readonly #postings: Postings<Item, Field>;
  readonly #search: SearchIndex;
  readonly #flags: Readonly<Record<Flag, Bitmap>>;
  readonly #filters: readonly (Field | Flag | "q")[];
  readonly #lists = new FilteredLists();
  #revision = 0;

  constructor({ postings, search, flags }: {
    postings: Postings<Item, Field>;
    search: SearchIndex;
    flags: Readonly<Record<Flag, Bitmap>>;
  }) {
    this.#postings = postings;
    this.#search = search;
    this.#flags = flags;
    this.#filters = [...postings.fields, "q", ...Object.keys(flags) as Flag[]];
  }

  /** Rises whenever a filter may match others than before. */
  get revision(): number {
    return this.#revision;
  }

  /** Notes that a filter may match others than before. */
  expire(): void {
    this.#revision++;
  }

  /** A page of the entries that pass every filter. */
  page(query: Query<Field, Flag>, order: SortedSlots): CataloguePage {
    const { offset = 0, limit } = query;
    const part = { offset, limit };
    if (this.#filters.every((name) => query[name] === undefined)) return cut(order.slots(), part);
    return this.#lists.part(keyOf(query, this.#filters), {
      part,
      basis: this.#basis(order),
      some: () => this.#match(query, order, part),
      all: () => this.#match(query, order, WHOLE).slots,
    });
  }

  /** The first of them, as many as `limit`. No list is kept for further pages. */
  first(query: Query<Field, Flag>, order: SortedSlots): readonly number[] {
    return this.#match(query, order, { offset: 0, limit: query.limit }).slots;
  }

  #match(query: Query<Field, Flag>, order: SortedSlots, part: Part): CataloguePage {
    const named = this.#postings.named(query);
    if (named === null) return { slots: [], total: 0 };
    const others: Bitmap[] = [];
    for (const name in this.#flags) if (query[name]) others.push(this.#flags[name]);
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
  #under(
    named: Named<Field>[],
    query: Query<Field, Flag>,
    order: SortedSlots,
  ): Uint32Array | null {
    const widest = named.at(-1);
    if (widest === undefined) return order.slots();
    const key = keyOf(query, this.#filters, named.map(({ field }) => field));
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
