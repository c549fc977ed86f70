/** How the entries of a {@link Top} are compared. */
export interface TopRules<T> {
  /** The most entries kept. */
  max: number;
  /** Identifies an entry: one with the same id replaces the other. */
  idOf: (entry: T) => string;
  /** Whether one entry ranks before another; a strict total order. */
  isBefore: (one: T, other: T) => boolean;
}

/**
 * Keeps the highest-ranking of any number of entries. An entry that is offered again must not rank
 * lower than before: what fell out is forgotten and could not come back.
 */
export class Top<T> {
  readonly #rules: TopRules<T>;
  readonly #entries: T[] = [];

  constructor(rules: TopRules<T>) {
    this.#rules = rules;
  }

  /** The entries, first to last. */
  get entries(): readonly T[] {
    return this.#entries;
  }

  /** Puts an entry in its place, or leaves it out. For most entries that is one comparison. */
  offer(entry: T): void {
    const { max, idOf, isBefore } = this.#rules;
    const entries = this.#entries;
    const id = idOf(entry);
    const last = entries.at(-1);
    const isOut = last !== undefined && entries.length === max && !isBefore(entry, last);
    if (isOut && idOf(last) !== id) return;
    const known = entries.findIndex((other) => idOf(other) === id);
    if (known >= 0) entries.splice(known, 1);
    const place = entries.findIndex((other) => isBefore(entry, other));
    entries.splice(place < 0 ? entries.length : place, 0, entry);
    if (entries.length > max) entries.pop();
  }
}
