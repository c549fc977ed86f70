import { BoundedMap } from "./bounded_map.ts";

/** How many keys are remembered that were set once. */
const MAX_ONCE = 4_000;
/** Longer keys are not kept. An address whose parameters all mean something is shorter. */
const MAX_KEY_LENGTH = 1_500;

/**
 * A bounded map that keeps a value when its key is set for a second time. Whoever walks through all
 * pages, or makes addresses up, would otherwise fill it with what nobody asks for again.
 */
export class RepeatedMap<V> extends BoundedMap<V> {
  readonly #once = new Set<string>();

  /** Returns whether the value is kept. */
  override set(key: string, value: V): boolean {
    if (key.length > MAX_KEY_LENGTH) return false;
    if (this.has(key) || this.#once.has(key)) {
      super.set(key, value);
      return true;
    }
    if (this.#once.size >= MAX_ONCE) this.#once.clear();
    this.#once.add(key);
    return false;
  }
}
