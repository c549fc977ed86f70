import type { CataloguePage } from "./catalogue_types.ts";
import { cut, type Part } from "./parts.ts";

/** The most slots that are kept in all lists of one of these, 16 MB. */
const MAX_SLOTS = 4_000_000;
const MAX_KEYS = 4_000;
/** How many keys are remembered that were asked for once. */
const MAX_ONCE = 4_000;

/** The revisions that a list depends on: of what filters match, and of the order. */
export type ListBasis = readonly [sets: number, order: number];

/** Names a list by its sort and what it is filtered by, or by only some of that. */
export function keyOf<Filter extends string>(
  query: { readonly sort?: string } & { readonly [F in Filter]?: unknown },
  filters: readonly Filter[],
  some = filters,
): string {
  const values = filters.map((filter) => some.includes(filter) ? query[filter] : "");
  return [query.sort ?? "hot", ...values].join("\n");
}

/** How to make a list. */
export interface ListSource {
  basis: ListBasis;
  /** Finds the whole list. */
  all: () => ArrayLike<number>;
}

/**
 * Filtered lists in order, by filter and sort. The first time only the part asked for is found. If
 * someone asks again before anything changed, the whole list is made and kept, so that every
 * further page costs as little as one of an unfiltered list. `keep` is for lists that cost no more
 * than a part of them.
 */
export class FilteredLists {
  readonly #lists = new Map<string, { basis: ListBasis; slots: Uint32Array }>();
  #once = new Map<string, ListBasis>();
  #kept = 0;

  /**
   * The part asked for of the list with this key, which names its filter and sort. `some` finds only
   * that part.
   */
  part(key: string, source: ListSource & { part: Part; some: () => CataloguePage }): CataloguePage {
    const slots = this.whole(key, source);
    return slots === null ? source.some() : cut(slots, source.part);
  }

  /** The list with this key; null the first time that it is asked for since anything changed. */
  whole(key: string, source: ListSource): Uint32Array | null {
    const kept = this.kept(key, source.basis);
    if (kept !== undefined) return kept;
    const once = this.#once.get(key);
    if (once !== undefined && isSame(once, source.basis)) {
      this.#once.delete(key);
      return this.keep(key, source);
    }
    if (this.#once.size >= MAX_ONCE) this.#once = new Map();
    this.#once.set(key, source.basis);
    return null;
  }

  /** The list with this key, if it is kept and nothing changed. */
  kept(key: string, basis: ListBasis): Uint32Array | undefined {
    const kept = this.#lists.get(key);
    return kept !== undefined && isSame(kept.basis, basis) ? kept.slots : undefined;
  }

  /** Makes the list with this key and keeps it. */
  keep(key: string, { basis, all }: ListSource): Uint32Array {
    this.#drop(key);
    const slots = new Uint32Array(all());
    this.#lists.set(key, { basis, slots });
    this.#kept += slots.length;
    for (const oldest of this.#lists.keys()) {
      if (this.#kept <= MAX_SLOTS && this.#lists.size <= MAX_KEYS) break;
      this.#drop(oldest);
    }
    return slots;
  }

  #drop(key: string): void {
    this.#kept -= this.#lists.get(key)?.slots.length ?? 0;
    this.#lists.delete(key);
  }
}

function isSame(a: ListBasis, b: ListBasis): boolean {
  return a[0] === b[0] && a[1] === b[1];
}
