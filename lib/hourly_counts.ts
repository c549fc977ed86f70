import { HOUR_MS } from "./clock.ts";

/** How many keys are counted; beyond that, all counts begin again. */
const KEYS_MAX = 100_000;

/** Counts by key within the clock hour, in this process alone. */
export class HourlyCounts {
  #hour = -1;
  #counts = new Map<string, number>();

  /** Counts one more of a key at `now` (ms), and returns how many there are in this hour. */
  add(key: string, now: number): number {
    const hour = Math.floor(now / HOUR_MS);
    if (hour !== this.#hour || this.#counts.size >= KEYS_MAX) this.#counts = new Map();
    this.#hour = hour;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}
