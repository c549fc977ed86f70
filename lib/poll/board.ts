import { addDays, DAY_GRACE_MS, utcDay } from "../clock.ts";
import type { Store } from "../kv/store.ts";
import { Recent } from "../recent.ts";
import { pollKeys } from "./keys.ts";
import {
  type PollClass,
  type PollWindow,
  pollWindow,
  type ReasonPointer,
  type StoredBallot,
  type WriteIns,
} from "./schema.ts";
import { addToTally, addVotes, noVotes, type Votes, windowStart } from "./tally.ts";

const DAYS_KEPT = 30;

/** The most agents of a window, and the most reasons. */
const TOP_AGENTS = 25;
const RECENT_REASONS = 50;

/** A window's votes, and the agents that cast the most ballots in it. */
export interface WindowVotes {
  votes: Votes;
  topAgents: { agentName: string; votes: number }[];
}

/** A ballot whose reason is public. */
export interface ReasonedBallot {
  id: string;
  day: string;
  ballot: StoredBallot;
}

/** The poll as of a moment: what is the same for every reader. */
export interface PollState {
  since: string | null;
  writeIns: readonly string[];
  windows: ReadonlyMap<PollWindow, WindowVotes>;
  /** Newest first. */
  reasons: readonly ReasonedBallot[];
}

/**
 * The poll in memory, so that reading it costs what one day costs: days that are over are read once, the day
 * that runs at most once a second or after a ballot of this process.
 */
export class PollBoard {
  readonly #store: Store;
  /** Every final day, and the last 30 of them one by one. */
  readonly #past = noVotes();
  readonly #days = new Map<string, Votes>();
  #finalThrough = "";
  #loading: Promise<void> = Promise.resolve();
  readonly #state = new Recent<PollState>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Says that a ballot of this process has landed, or that a reason was hidden. */
  changed(): void {
    this.#state.drop();
  }

  /** The poll at `now` (ms). */
  read(now: number): Promise<PollState> {
    return this.#state.get(utcDay(now), now, () => this.#read(now));
  }

  async #read(now: number): Promise<PollState> {
    const lastFinal = addDays(utcDay(now - DAY_GRACE_MS), -1);
    this.#loading = this.#loading.catch(() => {}).then(() => this.#loadPast(lastFinal));
    await this.#loading;
    const live = await readDays(this.#store, addDays(this.#finalThrough, 1));
    const windows = this.#sumWindows(live, utcDay(now));
    const [since, names] = await this.#store.getMany<unknown>([pollKeys.since, pollKeys.writeIns]);
    return {
      since: since!.value as string | null,
      writeIns: (names!.value as WriteIns | null)?.names ?? [],
      windows: await this.#nameAgents(windows),
      reasons: await this.#readReasons(),
    };
  }

  #sumWindows(read: ReadonlyMap<string, Votes>, today: string): Map<PollWindow, Votes> {
    // A day may have become final since it was read.
    const live = [...read].filter(([day]) => day > this.#finalThrough);
    return new Map(pollWindow.options.map((window) => {
      const from = windowStart(window, today);
      const votes = noVotes();
      if (from === null) addVotes(votes, this.#past);
      for (const [day, some] of from === null ? live : [...this.#days, ...live]) {
        if (from === null || (day >= from && day <= today)) addVotes(votes, some);
      }
      return [window, votes];
    }));
  }

  async #nameAgents(windows: Map<PollWindow, Votes>): Promise<Map<PollWindow, WindowVotes>> {
    const tops = [...windows].map(([window, votes]) => {
      const top = [...votes.agents]
        .sort(([keyA, a], [keyB, b]) => b - a || (keyA < keyB ? -1 : 1)).slice(0, TOP_AGENTS);
      return { window, votes, top };
    });
    const keys = [...new Set(tops.flatMap(({ top }) => top.map(([key]) => key)))];
    const entries = await this.#store.getMany<string>(keys.map(pollKeys.agent));
    const names = new Map(keys.map((key, i) => [key, entries[i]!.value!]));
    return new Map(tops.map(({ window, votes, top }) => {
      const topAgents = top.map(([key, count]) => ({ agentName: names.get(key)!, votes: count }));
      return [window, { votes, topAgents }];
    }));
  }

  async #readReasons(): Promise<ReasonedBallot[]> {
    const places: (ReasonPointer & { id: string })[] = [];
    const newest = { limit: RECENT_REASONS, reverse: true };
    const pointers = this.#store.list<ReasonPointer>({ prefix: pollKeys.reasons }, newest);
    for await (const { key, value } of pointers) places.push({ ...value, id: key[1] as string });
    const ballots = await this.#store.getMany<StoredBallot>(
      places.map(({ day, voter }) => pollKeys.ballot(day, voter)),
    );
    return places.flatMap(({ id, day }, i) => {
      const ballot = ballots[i]!.value;
      return ballot?.reasonId === id && !ballot.reasonPrivate ? [{ id, day, ballot }] : [];
    });
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
