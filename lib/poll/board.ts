import { addDays, MINUTE_MS, utcDay } from "../clock.ts";
import type { Store } from "../kv/store.ts";
import { Recent } from "../recent.ts";
import { pollKeys } from "./keys.ts";
import type { PollClass, PollWindow } from "./schema.ts";
import { addToTally, addVotes, noVotes, type Votes, windowStart } from "./tally.ts";

/** A day's tallies are taken as final so long after its end: a ballot of its last moment has landed or failed. */
export const CLOSING_GRACE_MS = 2 * MINUTE_MS;
const DAYS_KEPT = 30;

/**
 * The counts of the poll in memory, so that reading it costs what one day costs: days that are over are read
 * once, the day that runs at most once a second or after a ballot of this process.
 */
export class PollBoard {
  readonly #store: Store;
  /** Every final day, and the last 30 of them one by one. */
  readonly #past = noVotes();
  readonly #days = new Map<string, Votes>();
  #finalThrough = "";
  #loading: Promise<void> = Promise.resolve();
  readonly #live = new Recent<Map<string, Votes>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Says that a ballot of this process has landed. */
  changed(): void {
    this.#live.drop();
  }

  /** The votes of a window that ends with the UTC day of `now`. */
  async read(windows: readonly PollWindow[], now: number): Promise<Map<PollWindow, Votes>> {
    const today = utcDay(now);
    const lastFinal = addDays(utcDay(now - CLOSING_GRACE_MS), -1);
    const read = await this.#live.get(today, now, () => this.#readDays(lastFinal));
    // A day may have become final between that read and now.
    const live = [...read].filter(([day]) => day > this.#finalThrough);
    return new Map(windows.map((window) => {
      const from = windowStart(window, today);
      const votes = noVotes();
      if (from === null) addVotes(votes, this.#past);
      const days = from === null ? live : [...this.#days, ...live];
      for (const [day, some] of days) {
        if (from === null || (day >= from && day <= today)) addVotes(votes, some);
      }
      return [window, votes];
    }));
  }

  async #readDays(lastFinal: string): Promise<Map<string, Votes>> {
    this.#loading = this.#loading.catch(() => {}).then(() => this.#loadPast(lastFinal));
    await this.#loading;
    return await readDays(this.#store, addDays(this.#finalThrough, 1));
  }

  async #loadPast(lastFinal: string): Promise<void> {
    if (this.#finalThrough >= lastFinal) return;
    const from = this.#finalThrough === "" ? "" : addDays(this.#finalThrough, 1);
    const days = await readDays(this.#store, from, addDays(lastFinal, 1));
    for (const [day, votes] of days) {
      addVotes(this.#past, votes);
      this.#days.set(day, votes);
    }
    this.#finalThrough = lastFinal;
    for (const day of this.#days.keys()) {
      if (day < addDays(lastFinal, -DAYS_KEPT)) this.#days.delete(day);
    }
  }
}

/** Reads the counts of the days from `from` on, up to but not with `until`. */
export async function readDays(
  store: Store,
  from: string,
  until = "9999-12-31",
): Promise<Map<string, Votes>> {
  const days = new Map<string, Votes>();
  const votesOf = (day: string) => {
    const votes = days.get(day) ?? noVotes();
    days.set(day, votes);
    return votes;
  };
  const range = (prefix: readonly string[]) => ({
    start: [...prefix, from],
    end: [...prefix, until],
  });
  for await (const { key, value } of store.list<Deno.KvU64>(range(pollKeys.allTallies))) {
    const [, day, voterClass, id, way] = key as [string, string, PollClass, string, string];
    const votes = Number(value.value) * (way === "up" ? 1 : -1);
    addToTally(votesOf(day).tally, id, voterClass, votes);
  }
  for await (const { key, value } of store.list<Deno.KvU64>(range(pollKeys.allAgentVotes))) {
    const [, day, agent] = key as [string, string, string];
    votesOf(day).agents.set(agent, Number(value.value));
  }
  return days;
}
