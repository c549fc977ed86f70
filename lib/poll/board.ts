import { CachedRead } from "../cache/cached_read.ts";
import { addDays, DAY_GRACE_MS, MINUTE_MS, utcDay } from "../clock.ts";
import { logIdAt } from "../kv/log_id.ts";
import { counterValue, type Store } from "../kv/store.ts";
import { LIMITS } from "../limits.ts";
import { nameKey } from "../text/name_key.ts";
import { shownName, type StoredAgent } from "./agents.ts";
import { readAgentVotes, readDays, readTallies } from "./days.ts";
import { pollKeys } from "./keys.ts";
import {
  type PollWindow,
  pollWindow,
  type ReasonPointer,
  type StoredBallot,
  type WriteIns,
} from "./schema.ts";
import { addTally, addVotes, noVotes, type Tally, type Votes, windowStart } from "./tally.ts";
import { TopAgents } from "./top_agents.ts";

const DAYS_KEPT = 30;
/** How old (ms) the tallies may be: other processes take ballots too. */
const MAX_AGE_MS = 1_000;

/** A window's votes, and the agents with the most ballots in it. */
export interface WindowVotes {
  tally: Tally;
  topAgents: { agentName: string; votes: number }[];
}

/** A ballot with a public reason. */
interface ReasonedBallot {
  id: string;
  day: string;
  ballot: StoredBallot;
}

/** The poll at one moment: the part that is the same for all readers. */
interface PollState {
  since: string | null;
  writeIns: readonly string[];
  windows: ReadonlyMap<PollWindow, WindowVotes>;
  /** Newest first. */
  reasons: readonly ReasonedBallot[];
}

/** What is kept during one UTC day: the windows, whose top agents gain ballots during the day. */
interface Running {
  today: string;
  /** The last final day. */
  through: string;
  windows: { window: PollWindow; from: string | null; past: Tally; agents: TopAgents }[];
  /** The ballots by day and agent that `windows` already counts, for days that are not final. */
  live: Map<string, Map<string, number>>;
}

/**
 * The poll in memory. Past days are read once. Today's tallies (as many as there are candidates)
 * are read at most once a second or after a ballot in this process. An agent's ballots are read
 * again after each ballot under its name, in any process.
 */
export class PollBoard {
  readonly #store: Store;
  /** The votes of all final days together, and of each of the last 30. */
  #past = noVotes();
  readonly #days = new Map<string, Votes>();
  #finalThrough = "";
  #running: Running | undefined;
  /** Names of agents that were among the first or gave a reason, by key. */
  #names = new Map<string, StoredAgent | null>();
  /** True if past days have changed: the operator held or released ballots. */
  #recount = false;
  /** Keys of agents that voted since their ballots were last read. */
  readonly #stale = new Set<string>();
  readonly #state = new CachedRead<PollState>({ maxAgeMs: MAX_AGE_MS });

  constructor(store: Store) {
    this.#store = store;
    store.subscribe((news) => {
      const isBallot = news.type === "pulse" && news.pulse.kind === "ballot";
      const isOperators = news.type === "change" && news.change.kind === "site" &&
        news.change.slug === "poll";
      if (isBallot) this.#stale.add(news.pulse.slug);
      // A new map, since a read in progress may have older names.
      if (isOperators) this.#names = new Map();
      if (isOperators && /^ballots_/.test(news.change.event)) this.#recount = true;
      if (isBallot || isOperators) this.changed();
    });
  }

  /** Notes that a ballot has landed, or that the operator changed the poll. */
  changed(): void {
    this.#state.drop();
  }

  /** Increases with each change known to this process. */
  get revision(): number {
    return this.#state.revision;
  }

  /** The poll at `now` (ms). */
  read(now: number): Promise<PollState> {
    return this.#state.get(utcDay(now), now, () => this.#read(now));
  }

  async #read(now: number): Promise<PollState> {
    const today = utcDay(now);
    const through = addDays(utcDay(now - DAY_GRACE_MS), -1);
    const stale = [...this.#stale];
    this.#stale.clear();
    const recount = this.#recount;
    this.#recount = false;
    if (recount) this.#finalThrough = "";
    let running = recount ? undefined : this.#running;
    try {
      if (running?.today !== today || running.through !== through) {
        await this.#loadPast(through);
        running = this.#running = await this.#start(today);
        // Few of the names known so far are still shown.
        this.#names = new Map();
      } else {
        await this.#countAgain(running, stale);
      }
    } catch (error) {
      stale.forEach((key) => this.#stale.add(key));
      this.#recount ||= recount;
      throw error;
    }
    const windows = await this.#readWindows(running);
    const reasons = await this.#readReasons(now);
    // Read last, so it has any name that a ballot above wrote in.
    const [since, names] = await this.#store.getMany<unknown>([pollKeys.since, pollKeys.writeIns]);
    return {
      since: since!.value as string | null,
      writeIns: (names!.value as WriteIns | null)?.names ?? [],
      windows,
      reasons,
    };
  }

  /** Sums each window's final days, and the agents' ballots of the days that are not final. */
  async #start(today: string): Promise<Running> {
    const through = this.#finalThrough;
    const live = await readAgentVotes(this.#store, addDays(through, 1));
    const windows = pollWindow.options.map((window) => {
      const from = windowStart(window, today);
      const past = noVotes();
      if (from === null) addVotes(past, this.#past);
      else {
        for (const [day, votes] of this.#days) {
          if (isWithin(day, from, today)) addVotes(past, votes);
        }
      }
      return { window, from, past: past.tally, agents: new TopAgents(past.agents) };
    });
    const running = { today, through, windows, live: new Map() };
    for (const [day, agents] of live) {
      for (const [key, votes] of agents) countAgent(running, { day, key, votes });
    }
    return running;
  }

  /** Reads some agents' ballots for the days that are not final. */
  async #countAgain(running: Running, agents: readonly string[]): Promise<void> {
    const { today, through } = running;
    const days: string[] = [];
    for (let day = today; day > through; day = addDays(day, -1)) days.push(day);
    const places = days.flatMap((day) => agents.map((key) => ({ day, key })));
    const entries = await this.#store.getMany(
      places.map(({ day, key }) => pollKeys.agentVotes(day, key)),
    );
    places.forEach((place, i) =>
      countAgent(running, { ...place, votes: counterValue(entries[i]!) })
    );
  }

  async #readWindows(running: Running): Promise<Map<PollWindow, WindowVotes>> {
    const live = await readTallies(this.#store, addDays(running.through, 1));
    const tops = running.windows.map(({ agents }) => agents.entries);
    const names = await this.#readNames(new Set(tops.flatMap((top) => top.map(({ key }) => key))));
    return new Map(running.windows.map(({ window, from, past }, i) => {
      const tally: Tally = new Map();
      addTally(tally, past);
      for (const [day, some] of live) {
        if (isWithin(day, from, running.today)) addTally(tally, some);
      }
      const topAgents = tops[i]!.flatMap(({ key, votes }) => {
        const agentName = shownName(names.get(key));
        return agentName === null ? [] : [{ agentName, votes }];
      }).slice(0, LIMITS.agentsShown);
      return [window, { tally, topAgents }];
    }));
  }

  /**
   * The names for some keys. Unknown ones are read: a name stays as first spelled, unless the
   * operator hides it.
   */
  async #readNames(keys: Set<string>): Promise<ReadonlyMap<string, StoredAgent | null>> {
    const names = this.#names;
    const unknown = [...keys].filter((key) => !names.has(key));
    const entries = await this.#store.getMany<StoredAgent>(unknown.map(pollKeys.agent));
    unknown.forEach((key, i) => names.set(key, entries[i]!.value));
    return names;
  }

  async #readReasons(now: number): Promise<ReasonedBallot[]> {
    const places: (ReasonPointer & { id: string })[] = [];
    const newest = { limit: LIMITS.reasonsShown, reverse: true };
    // A fast clock may have dated some in the future. They aren't shown until then.
    const past = { prefix: pollKeys.reasons, end: pollKeys.reason(logIdAt(now + MINUTE_MS)) };
    const pointers = this.#store.list<ReasonPointer>(past, newest);
    for await (const { key, value } of pointers) places.push({ ...value, id: key[1] as string });
    const ballots = await this.#store.getMany<StoredBallot>(
      places.map(({ day, voter }) => pollKeys.ballot(day, voter)),
    );
    const shown = places.flatMap(({ id, day }, i) => {
      const ballot = ballots[i]!.value;
      return ballot?.reasonId === id && !ballot.reasonPrivate ? [{ id, day, ballot }] : [];
    });
    // Others may have sent the same reason before an operator hid it.
    const hidden = await this.#store.getMany(
      shown.map(({ ballot }) => pollKeys.hiddenReason(ballot.reason!)),
    );
    const reasons = shown.filter((_, i) => hidden[i]!.value === null);
    const keys = reasons.map(({ ballot: { agentName } }) => agentName && nameKey(agentName));
    const names = await this.#readNames(new Set(keys.filter((key) => key !== null)));
    return reasons.map(({ id, day, ballot }, i) => {
      const isHidden = keys[i] !== null && shownName(names.get(keys[i]!)) === null;
      return { id, day, ballot: isHidden ? { ...ballot, agentName: null } : ballot };
    });
  }

  async #loadPast(through: string): Promise<void> {
    if (this.#finalThrough === through) return;
    // If the clock was set back, days that were over are running again.
    const isAnew = this.#finalThrough === "" || this.#finalThrough > through;
    const from = isAnew ? "" : addDays(this.#finalThrough, 1);
    const days = await readDays(this.#store, from, addDays(through, 1));
    if (isAnew) {
      this.#past = noVotes();
      this.#days.clear();
    }
    for (const [day, votes] of days) {
      addVotes(this.#past, votes);
      this.#days.set(day, votes);
    }
    this.#finalThrough = through;
    for (const day of this.#days.keys()) {
      if (day < addDays(through, -DAYS_KEPT)) this.#days.delete(day);
    }
  }
}

/** Raises an agent's ballot count for a day to `votes`. */
function countAgent(
  { today, windows, live }: Running,
  { day, key, votes }: { day: string; key: string; votes: number },
): void {
  const known = live.get(day) ?? new Map<string, number>();
  live.set(day, known);
  const more = votes - (known.get(key) ?? 0);
  if (more <= 0) return;
  known.set(key, votes);
  for (const { from, agents } of windows) {
    if (isWithin(day, from, today)) agents.add(key, more);
  }
}

function isWithin(day: string, from: string | null, today: string): boolean {
  return from === null || (day >= from && day <= today);
}
