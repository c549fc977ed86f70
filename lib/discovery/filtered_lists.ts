import type { CataloguePage } from "./catalogue_types.ts";
import { cut, type Part } from "./parts.ts";

/** The most slots that are kept in all lists together, about 8 MB. */
const MAX_SLOTS = 2_000_000;
const MAX_KEYS = 500;
/** How many keys are remembered that were asked for once. */
const MAX_ONCE = 4_000;

/** The revisions that a list depends on: of what filters match, and of the order. */
export type ListBasis = readonly [sets: number, order: number];

/** How to make a list. */
export interface ListSource {
  basis: ListBasis;
  /** Finds the whole list. */
  all: () => number[];
}

/**
 * Filtered lists in order, by filter and sort. The first time only the part asked for is found. If
 * someone asks again before anything changed, the whole list is made and kept, so that every
 * further page costs as little as one of an unfiltered list.
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
  whole(key: string, { basis, all }: ListSource): Uint32Array | null {
    const known = this.#lists.get(key);
    if (known !== undefined && isSame(known.basis, basis)) return known.slots;
    this.#drop(key);
    const once = this.#once.get(key);
    if (once === undefined || !isSame(once, basis)) {
      if (this.#once.size >= MAX_ONCE) this.#once = new Map();
      this.#once.set(key, basis);
      return null;
    }
    this.#once.delete(key);
    const slots = Uint32Array.from(all());
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
