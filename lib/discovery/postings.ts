import { Bitmap } from "./bitmap.ts";

/**
 * Up to this many members a plain list takes less memory than a bitmap. Most tags have a handful.
 */
const SPARSE = 64;

/** The slots with the value of a field that a query names. */
export interface Named<Field extends string> {
  field: Field;
  slots: Bitmap;
}

/** Which slots have which value of a field. */
export class Postings<Item, Field extends string> {
  readonly #valuesOf: (item: Item) => Iterable<[Field, string]>;
  readonly #sets: Map<Field, Map<string, Bitmap | number[]>>;

  /** `valuesOf` gives the fields and values that an item can be filtered by. */
  constructor(fields: readonly Field[], valuesOf: (item: Item) => Iterable<[Field, string]>) {
    this.#sets = new Map(fields.map((field) => [field, new Map()]));
    this.#valuesOf = valuesOf;
  }

  /** The fields, in the order that they were given in. */
  get fields(): Field[] {
    return [...this.#sets.keys()];
  }

  add(slot: number, item: Item): void {
    for (const [field, value] of this.#valuesOf(item)) {
      const sets = this.#sets.get(field)!;
      const set = sets.get(value);
      if (set === undefined) sets.set(value, [slot]);
      else if (set instanceof Bitmap) set.add(slot);
      else {
        set.push(slot);
        if (set.length > SPARSE) sets.set(value, Bitmap.of(set));
      }
    }
  }

  remove(slot: number, item: Item): void {
    for (const [field, value] of this.#valuesOf(item)) {
      const sets = this.#sets.get(field)!;
      const set = sets.get(value)!;
      if (set instanceof Bitmap) set.delete(slot);
      else set.splice(set.indexOf(slot), 1);
      if (sizeOf(set) === 0) sets.delete(value);
    }
  }

  /** The slots with each value that a query names, fewest first; null when one of them has none. */
  named(query: { [F in Field]?: string }): Named<Field>[] | null {
    const named: Named<Field>[] = [];
    for (const [field, sets] of this.#sets) {
      const value = query[field];
      if (value === undefined) continue;
      const set = sets.get(value);
      if (set === undefined) return null;
      named.push({ field, slots: Array.isArray(set) ? Bitmap.of(set) : set });
    }
    return named.sort((a, b) => a.slots.size - b.slots.size);
  }

  /** How many slots have each value. */
  sizes(field: Field): Map<string, number> {
    return new Map([...this.#sets.get(field)!].map(([value, set]) => [value, sizeOf(set)]));
  }
}

function sizeOf(set: Bitmap | number[]): number {
  return Array.isArray(set) ? set.length : set.size;
}
