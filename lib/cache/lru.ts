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
 * Values by key, each of which ends with the revision that it was made at. Those that were used
 * least recently make room for others.
 */
export class Lru<V> {
  /** The one used last is at the end. */
  readonly #kept = new Map<string, Kept<V>>();
  readonly #max: number;
  readonly #sizeOf: (value: V, key: string) => number;
  #size = 0;
  #newest: string | undefined;

  constructor({ max, sizeOf = () => 1 }: LruOptions<V>) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  /** The value under a key; undefined if there is none, or it was made at another revision. */
  get(key: string, revision?: string | number): V | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.revision !== revision) return undefined;
    // One that is asked for over and over is at the end already.
    if (key !== this.#newest) {
      this.#kept.delete(key);
      this.#put(key, kept);
    }
    return kept.value;
  }

  /** Keeps a value and returns it. One that measures more than `max` is not kept. */
  set(key: string, value: V, revision?: string | number): V {
    this.delete(key);
    const size = this.#sizeOf(value, key);
    if (size > this.#max) return value;
    this.#size += size;
    this.#put(key, { value, revision, size });
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#max) break;
      this.delete(oldest);
    }
    return value;
  }

  /** Ends the value under a key. */
  delete(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }

  #put(key: string, kept: Kept<V>): void {
    this.#kept.set(key, kept);
    this.#newest = key;
  }
}
