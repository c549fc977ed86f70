/** How the entries of a {@link Top} compare. */
export interface TopRules<T> {
  /** The most entries kept. */
  max: number;
  /** What makes an entry the same one as before. */
  idOf: (entry: T) => string;
  /** Whether one entry stands before another; a strict total order. */
  isBefore: (one: T, other: T) => boolean;
}

/**
 * The first of any number of entries, kept while entries come and rise. An entry that is offered again must not
 * stand lower than before: what falls out is forgotten, and could not come back.
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

  /** Takes an entry to its place, or leaves it out; most of many cost one comparison. */
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
