import { HOUR_MS } from "../clock.ts";

/** How many keys are counted; beyond that, all counts restart. */
const KEYS_MAX = 100_000;

/** Counts by key within the clock hour, in this process only. */
export class HourlyCounts {
  #hour = -1;
  #counts = new Map<string, number>();

  /** A key's count in the hour of `now` (ms). */
  of(key: string, now: number): number {
    return Math.floor(now / HOUR_MS) === this.#hour ? this.#counts.get(key) ?? 0 : 0;
  }

  /** Adds one to a key's count at `now` (ms). */
  add(key: string, now: number): void {
    const count = this.of(key, now) + 1;
    const hour = Math.floor(now / HOUR_MS);
    if (hour !== this.#hour || this.#counts.size >= KEYS_MAX) this.#counts = new Map();
    this.#hour = hour;
    this.#counts.set(key, count);
  }
}
