import type { CataloguePage } from "./catalogue_types.ts";
import { cut, type Part } from "./parts.ts";

/** The most slots that are kept in all lists together, about 4 MB. */
const MAX_SLOTS = 1_000_000;
const MAX_KEYS = 500;

/** The revisions that a list depends on: of what filters match, and of the order. */
export type ListBasis = readonly [sets: number, order: number];

/** How to make a list. */
export interface ListSource {
  part: Part;
  basis: ListBasis;
  /** Finds only the part that is asked for. */
  some: () => CataloguePage;
  /** Finds the whole list. */
  all: () => number[];
}

/**
 * Filtered lists in order, by filter and sort. The first time only the part asked for is found. If
 * someone asks again before anything changed, the whole list is made and kept, so that every
 * further page costs as little as one of an unfiltered list.
 */
export class FilteredLists {
  readonly #lists = new Map<string, { basis: ListBasis; slots: Uint32Array | null }>();
  #kept = 0;

  /** The part asked for of the list with this key, which names its filter and sort. */
  part(key: string, { part, basis, some, all }: ListSource): CataloguePage {
    const known = this.#lists.get(key);
    const isCurrent = known?.basis[0] === basis[0] && known.basis[1] === basis[1];
    if (isCurrent && known!.slots !== null) return cut(known!.slots, part);
    this.#drop(key);
    const slots = isCurrent ? Uint32Array.from(all()) : null;
    this.#lists.set(key, { basis, slots });
    this.#kept += slots?.length ?? 0;
    for (const oldest of this.#lists.keys()) {
      if (this.#kept <= MAX_SLOTS && this.#lists.size <= MAX_KEYS) break;
      this.#drop(oldest);
    }
    return slots === null ? some() : cut(slots, part);
  }

  #drop(key: string): void {
    this.#kept -= this.#lists.get(key)?.slots?.length ?? 0;
    this.#lists.delete(key);
  }
}
