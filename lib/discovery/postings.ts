import { Bitmap } from "./bitmap.ts";

/**
 * Up to this many members a plain list takes less memory than a bitmap. Most tags have a handful.
 */
const SPARSE = 64;

/** Which slots have which value of a field. */
export class Postings<Item, Field extends string> {
  readonly #valuesOf: (item: Item) => Iterable<[Field, string]>;
  readonly #sets = new Map<Field, Map<string, Bitmap | number[]>>();

  /** `valuesOf` gives the fields and values that an item can be filtered by. */
  constructor(valuesOf: (item: Item) => Iterable<[Field, string]>) {
    this.#valuesOf = valuesOf;
  }

  add(slot: number, item: Item): void {
    for (const [field, value] of this.#valuesOf(item)) {
      const sets = this.#setsOf(field);
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
      const sets = this.#setsOf(field);
      const set = sets.get(value)!;
      if (set instanceof Bitmap) set.delete(slot);
      else set.splice(set.indexOf(slot), 1);
      if (sizeOf(set) === 0) sets.delete(value);
    }
  }

  /** The slots with this value; undefined when there is none. */
  get(field: Field, value: string): Bitmap | undefined {
    const set = this.#setsOf(field).get(value);
    return Array.isArray(set) ? Bitmap.of(set) : set;
  }

  /** How many slots have each value. */
  sizes(field: Field): Map<string, number> {
    return new Map([...this.#setsOf(field)].map(([value, set]) => [value, sizeOf(set)]));
  }

  #setsOf(field: Field): Map<string, Bitmap | number[]> {
    let sets = this.#sets.get(field);
    if (sets === undefined) this.#sets.set(field, sets = new Map());
    return sets;
  }
}

function sizeOf(set: Bitmap | number[]): number {
  return Array.isArray(set) ? set.length : set.size;
}
