/** Ids of entries. */
export type Ids = ReadonlySet<number>;

const NONE: Ids = new Set();

/** Which entries have which value of a field. */
export class Filters<Field extends string> {
  readonly #sets: ReadonlyMap<Field, Map<string, Set<number>>>;

  constructor(fields: readonly Field[]) {
    this.#sets = new Map(fields.map((field) => [field, new Map()]));
  }

  /** Takes in an entry under the values that it has. */
  add(id: number, values: Iterable<readonly [Field, string]>): void {
    for (const [field, value] of values) {
      const sets = this.#sets.get(field)!;
      const set = sets.get(value);
      if (set === undefined) sets.set(value, new Set([id]));
      else set.add(id);
    }
  }

  /** Takes an entry out from under the values that it had. */
  remove(id: number, values: Iterable<readonly [Field, string]>): void {
    for (const [field, value] of values) {
      const sets = this.#sets.get(field)!;
      const set = sets.get(value)!;
      set.delete(id);
      if (set.size === 0) sets.delete(value);
    }
  }

  /** The entries with each value that a query names, the fewest first. */
  named(query: { readonly [F in Field]?: string }): Ids[] {
    const named: Ids[] = [];
    for (const [field, sets] of this.#sets) {
      const value = query[field];
      if (value !== undefined) named.push(sets.get(value) ?? NONE);
    }
    return named.sort((a, b) => a.size - b.size);
  }

  /** How many entries have each value. */
  sizes(field: Field): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#sets.get(field)!, ([value, set]) => [value, set.size]));
  }
}
