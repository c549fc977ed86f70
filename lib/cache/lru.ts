/** Size limits of an {@link Lru}. */
interface LruOptions<V> {
  /** The maximum total size of all values. */
  max: number;
  /** The size of a value with its key; by default 1. */
  sizeOf?: (value: V, key: string) => number;
}

interface Kept<V> {
  value: V;
  revision: string | number | undefined;
  size: number;
}

/**
 * Values by key, valid for one revision. The least recently used values are evicted half at a time:
 * one map has those used since the last eviction, another those used before. Uses don't move values
 * within a map, because V8 keeps deleted values alive in a map that keeps growing.
 */
export class Lru<V> {
  readonly #max: number;
  readonly #sizeOf: (value: V, key: string) => number;
  #recent = new Map<string, Kept<V>>();
  #older = new Map<string, Kept<V>>();
  /** Size of the recent ones. */
  #size = 0;

  constructor({ max, sizeOf = () => 1 }: LruOptions<V>) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  /** The value for a key; undefined if there is none or it is from another revision. */
  get(key: string, revision?: string | number): V | undefined {
    const recent = this.#recent.get(key);
    const kept = recent ?? this.#older.get(key);
    if (kept === undefined || kept.revision !== revision) return undefined;
    if (recent === undefined) this.#keep(key, kept);
    return kept.value;
  }

  /** Stores a value and returns it. A value over half of `max` may evict all others. */
  set(key: string, value: V, revision?: string | number): V {
    this.#keep(key, { value, revision, size: this.#sizeOf(value, key) });
    return value;
  }

  /** Removes the value for a key. */
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
