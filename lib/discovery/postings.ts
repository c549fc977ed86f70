import { Bitmap } from "./bitmap.ts";
import type { CatalogueListing } from "./catalogue_types.ts";

/** The fields that lists are filtered by. */
export type FilterField = "category" | "tool" | "pricing" | "tag";

/** Members up to which a plain list is leaner than a bitmap: most tags have a handful. */
const SPARSE = 64;

/** Which slots have which value of a field. */
export class Postings {
  readonly #sets: Record<FilterField, Map<string, Bitmap | number[]>> = {
    category: new Map(),
    tool: new Map(),
    pricing: new Map(),
    tag: new Map(),
  };

  add(slot: number, listing: CatalogueListing): void {
    for (const [field, value] of valuesOf(listing)) {
      const sets = this.#sets[field];
      const set = sets.get(value);
      if (set === undefined) sets.set(value, [slot]);
      else if (set instanceof Bitmap) set.add(slot);
      else {
        set.push(slot);
        if (set.length > SPARSE) sets.set(value, Bitmap.of(set));
      }
    }
  }

  remove(slot: number, listing: CatalogueListing): void {
    for (const [field, value] of valuesOf(listing)) {
      const sets = this.#sets[field];
      const set = sets.get(value)!;
      if (set instanceof Bitmap) set.delete(slot);
      else set.splice(set.indexOf(slot), 1);
      if (sizeOf(set) === 0) sets.delete(value);
    }
  }

  /** The slots with this value; undefined when there is none. */
  get(field: FilterField, value: string): Bitmap | undefined {
    const set = this.#sets[field].get(value);
    return Array.isArray(set) ? Bitmap.of(set) : set;
  }

  /** How many slots have each value. */
  sizes(field: FilterField): Map<string, number> {
    return new Map([...this.#sets[field]].map(([value, set]) => [value, sizeOf(set)]));
  }
}

function sizeOf(set: Bitmap | number[]): number {
  return Array.isArray(set) ? set.length : set.size;
}

function* valuesOf(listing: CatalogueListing): Generator<[FilterField, string]> {
  if (listing.category !== null) yield ["category", listing.category];
  if (listing.pricing !== null) yield ["pricing", listing.pricing];
  for (const tool of listing.builtWith) yield ["tool", tool];
  for (const tag of listing.tags) yield ["tag", tag];
}
