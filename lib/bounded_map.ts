/**
 * A map whose values have a total size of at most `max`. When it is full, the oldest entries make
 * room. A value that replaces another keeps its age; it is not deleted and set again because that
 * makes V8 rebuild its table (see `UnderWay`).
 */
export class BoundedMap<V> {
  readonly #values = new Map<string, V>();
  readonly #max: number;
  readonly #sizeOf: (value: V, key: string) => number;
  #size = 0;

  constructor(max: number, sizeOf: (value: V, key: string) => number) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** Keeps a value. One that is larger than `max` is kept as the only one. */
  set(key: string, value: V): void {
    this.#size += this.#sizeOf(value, key) - this.#sizeAt(key);
    this.#values.set(key, value);
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#max) break;
      if (oldest === key) continue;
      this.#size -= this.#sizeAt(oldest);
      this.#values.delete(oldest);
    }
  }

  #sizeAt(key: string): number {
    const value = this.#values.get(key);
    return value === undefined ? 0 : this.#sizeOf(value, key);
  }
}
