/**
 * Values by key whose sizes come to `max` at most: those kept longest make room for new ones. What replaces another
 * stays at its place; it is not deleted first, for that costs what `UnderWay` tells.
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

  /** Keeps a value, also one that is larger than all may be: then it is alone. */
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
