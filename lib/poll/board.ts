import { CachedRead } from "../cache/cached_read.ts";
import { addDays, DAY_GRACE_MS, MINUTE_MS, utcDay } from "../clock.ts";
import { logIdAt } from "../kv/log_id.ts";
import type { Store } from "../kv/store.ts";
import { LIMITS } from "../limits.ts";
import { nameKey } from "../text/name_key.ts";
import { shownName, type StoredAgent } from "./agents.ts";
import { readDays } from "./days.ts";
import { pollKeys } from "./keys.ts";
import {
  type PollWindow,
  pollWindow,
  type ReasonPointer,
  type StoredBallot,
  type WriteIns,
} from "./schema.ts";
import { addVotes, noVotes, type Tally, type Votes, windowStart } from "./tally.ts";

const DAYS_KEPT = 30;
/** How old (ms) the poll may be if the log shows no change, as after a repair of the database. */
const MAX_AGE_MS = MINUTE_MS;

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

/**
 * How many leading agents are kept: twice as many as shown, since the operator may hide some. (If
 * over half are hidden, the list is short.)
 */
const LEADERS = 2 * LIMITS.agentsShown;

/**
 * The poll in memory. Final days are read once. The others are read after each ballot, here or in
 * another process, and at most once a minute otherwise.
 */
export class PollBoard {
  readonly #store: Store;
  /** The votes of all final days together, and of each of the last 30. */
  #past = noVotes();
  readonly #days = new Map<string, Votes>();
  /** The last day in `#past`, also while that is being read. */
  #finalThrough = "";
  /**
   * Names of agents that were among the first or gave a reason, by key. Without these, each newly
   * made page would read up to 150 keys, and Deno Deploy bills each.
   */
  #names = new Map<string, StoredAgent | null>();
  /**
   * True if `#past` is not read yet, or past days have changed: the operator held or released
   * ballots, or one came late.
   */
  #recount = true;
  readonly #state = new CachedRead<PollState>({ maxAgeMs: MAX_AGE_MS });

  constructor(store: Store) {
    this.#store = store;
    store.subscribe((news) => {
      if (news.type === "pulse") {
        if (news.pulse.kind !== "ballot") return;
        // A clock that is set back can return to a day that was counted.
        if (utcDay(news.pulse.at) <= this.#finalThrough) this.#recount = true;
        this.#state.drop();
        return;
      }
      const { kind, slug, event } = news.change;
      if (kind !== "site" || slug !== "poll") return;
      // A new map, since a read in progress may have older names.
      this.#names = new Map();
      if (event.startsWith("ballots_")) this.#recount = true;
      this.#state.drop();
    });
  }

  /** The poll at `now` (ms). */
  read(now: number): Promise<PollState> {
    return this.#state.get(utcDay(now), now, () => this.#read(now));
  }

  async #read(now: number): Promise<PollState> {
    const today = utcDay(now);
    const through = addDays(utcDay(now - DAY_GRACE_MS), -1);
    await this.#loadPast(through);
    const live = await readDays(this.#store, addDays(through, 1));
    const counted = pollWindow.options.map((window) => this.#count(window, live, today));
    const keys = counted.flatMap(({ leaders }) => leaders.map(({ key }) => key));
    const names = await this.#readNames(new Set(keys));
    const windows = counted.map(({ window, tally, leaders }) => {
      const topAgents = leaders.flatMap(({ key, votes }) => {
        const agentName = shownName(names.get(key));
        return agentName === null ? [] : [{ agentName, votes }];
      }).slice(0, LIMITS.agentsShown);
      return [window, { tally, topAgents }] as const;
    });
    const reasons = await this.#readReasons(now);
    // Read last, so it has any name that a ballot above wrote in.
    const [since, writeIns] = await this.#store.getMany<unknown>([
      pollKeys.since,
      pollKeys.writeIns,
    ]);
    return {
      since: since!.value as string | null,
      writeIns: (writeIns!.value as WriteIns | null)?.names ?? [],
      windows: new Map(windows),
      reasons,
    };
  }

  /** A window's votes, and its leading agents. `live` has the days that are not final. */
  #count(window: PollWindow, live: ReadonlyMap<string, Votes>, today: string) {
    const from = windowStart(window, today);
    const parts = from === null
      ? [this.#past, ...live.values()]
      : [...this.#days, ...live].filter(([day]) => day >= from && day <= today)
        .map(([, votes]) => votes);
    const { tally, agents } = noVotes();
    for (const part of parts) addVotes({ tally, agents }, part);
    return { window, tally, leaders: leading(agents) };
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
      const isHidden = shownName(names.get(keys[i]!)) === null;
      return { id, day, ballot: isHidden ? { ...ballot, agentName: null } : ballot };
    });
  }

  async #loadPast(through: string): Promise<void> {
    if (!this.#recount && this.#finalThrough === through) return;
    // If the clock was set back, days that were over are running again.
    const isAnew = this.#recount || this.#finalThrough > through;
    const from = isAnew ? "" : addDays(this.#finalThrough, 1);
    // Set first: a ballot that comes late during the read makes the next one count again.
    this.#recount = false;
    this.#finalThrough = through;
    const days = await readDays(this.#store, from, addDays(through, 1)).catch((error) => {
      this.#recount = true;
      throw error;
    });
    if (isAnew) {
      this.#past = noVotes();
      this.#days.clear();
    }
    for (const [day, votes] of days) {
      addVotes(this.#past, votes);
      this.#days.set(day, votes);
    }
    // Few of the names known so far are still shown.
    this.#names = new Map();
    for (const day of this.#days.keys()) {
      if (day < addDays(through, -DAYS_KEPT)) this.#days.delete(day);
    }
  }
}

/** The agents with the most ballots, most first, ties by key. */
function leading(agents: Votes["agents"]) {
  return Array.from(agents, ([key, votes]) => ({ key, votes }))
    .sort((a, b) => b.votes - a.votes || (a.key < b.key ? -1 : 1))
    .slice(0, LEADERS);
}
