/** How large an {@link Lru} may get. */
export interface LruOptions<V> {
  /** The most that all values may measure together. */
  max: number;
  /** What a value measures with its key; by default 1. */
  sizeOf?: (value: V, key: string) => number;
}

interface Kept<V> {
  value: V;
  revision: string | number | undefined;
  size: number;
}

/**
 * Values by key, valid for one revision. The least recently used ones make room for others, half of
 * them at a time: one map has what was used since the last time, another what was used before.
 * Nothing is moved within a map on each use, because V8 keeps deleted values alive in a map that
 * others are added to.
 */
export class Lru<V> {
  readonly #max: number;
  readonly #sizeOf: (value: V, key: string) => number;
  #recent = new Map<string, Kept<V>>();
  #older = new Map<string, Kept<V>>();
  /** Of the recent ones. */
  #size = 0;

  constructor({ max, sizeOf = () => 1 }: LruOptions<V>) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  /** The value under a key; undefined if there is none, or it was made at another revision. */
  get(key: string, revision?: string | number): V | undefined {
    const recent = this.#recent.get(key);
    const kept = recent ?? this.#older.get(key);
    if (kept === undefined || kept.revision !== revision) return undefined;
    if (recent === undefined) this.#keep(key, kept);
    return kept.value;
  }

  /** Keeps a value and returns it. One of more than half of `max` may push out all others. */
  set(key: string, value: V, revision?: string | number): V {
    this.#keep(key, { value, revision, size: this.#sizeOf(value, key) });
    return value;
  }

  /** Ends the value under a key. */
  delete(key: string): void {
    this.#size -= this.#recent.get(key)?.size ?? 0;
    this.#recent.delete(key);
    this.#older.delete(key);
  }

  #keep(key: string, kept: Kept<V>): void {
    this.#size += kept.size - (this.#recent.get(key)?.size ?? 0);
    this.#recent.set(key, kept);
    if (this.#size < this.#max / 2) return;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#size = 0;
  }
}
