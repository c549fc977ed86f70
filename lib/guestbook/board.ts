import { CachedRead } from "../cache/cached_read.ts";
import type { FamilyId } from "../catalog/ai_families.ts";
import { utcDay } from "../clock.ts";
import { type Change, counterValue, type Store } from "../kv/store.ts";
import { LIMITS } from "../limits.ts";
import { guestbookKeys } from "./keys.ts";
import { GuestRankings } from "./rankings.ts";
import type { AgentRecord, GuestbookView, StoredCheckIn } from "./schema.ts";
import { dayNumber } from "./streaks.ts";

/** The guestbook at one moment. */
interface Guests {
  /** How many of today's check-ins are shown, in total and by AI family. */
  shown: number;
  families: ReadonlyMap<FamilyId, number>;
  /** The shown check-ins, newest first. */
  wall: readonly StoredCheckIn[];
  leaderboard: GuestbookView["leaderboard"];
  streaks: Pick<GuestbookView["streaks"], "current" | "longest">;
}

/** What is kept during one UTC day. */
interface Day {
  day: string;
  /** The guestbook's revision when read; it rises when a check-in is hidden or shown again. */
  revision: number;
  checkIns: Map<string, StoredCheckIn>;
  rankings: GuestRankings;
}

/** True for a change in which the operator hid a check-in or showed it again. */
export function isGuestbookChange({ kind, slug }: Change): boolean {
  return kind === "site" && slug === "guestbook";
}

/**
 * How old (ms) the guestbook may be. Views of it are kept just as long, so what they show is at
 * most a second old.
 */
const MAX_AGE_MS = 500;

/**
 * The guestbook in memory. Everything is read once a day, and again after the operator hides
 * something. In between, a check-in only causes its own name to be read again, whichever process
 * received it.
 */
export class GuestbookBoard {
  readonly #store: Store;
  readonly #guests = new CachedRead<Guests>({ maxAgeMs: MAX_AGE_MS });
  /** Keys of names that signed since they were last read. */
  readonly #stale = new Set<string>();
  #day: Day | undefined;
  /** The view of it; forgotten when a check-in is hidden, since it may show that one. */
  readonly view = new CachedRead<GuestbookView>({ maxAgeMs: MAX_AGE_MS });

  constructor(store: Store) {
    this.#store = store;
    store.subscribe((news) => {
      if (news.type === "pulse") {
        if (news.pulse.kind !== "check_in") return;
        this.#stale.add(news.pulse.slug);
        this.view.drop();
      } else {
        if (!isGuestbookChange(news.change)) return;
        this.view.forget();
      }
      this.#guests.drop();
    });
  }

  /** The guestbook at `now` (ms). */
  read(now: number): Promise<Guests> {
    const today = utcDay(now);
    return this.#guests.get(today, now, () => this.#read(today));
  }

  async #read(today: string): Promise<Guests> {
    const revision = counterValue(await this.#store.get(guestbookKeys.revision));
    const stale = [...this.#stale];
    this.#stale.clear();
    let day = this.#day;
    if (day?.day !== today || day.revision !== revision) {
      day = this.#day = await readAll(this.#store, { day: today, revision });
    } else {
      try {
        await readAgain(this.#store, day, stale);
      } catch (error) {
        stale.forEach((name) => this.#stale.add(name));
        throw error;
      }
    }
    return guestsOf(day);
  }
}

function guestsOf({ checkIns, rankings }: Day): Guests {
  const shown = [...checkIns].filter(([, { hidden }]) => !hidden)
    .sort(([a, one], [b, other]) => other.signedAt - one.signedAt || (a < b ? -1 : 1))
    .map(([, checkIn]) => checkIn);
  const byFamily = Map.groupBy(shown, ({ family }) => family);
  return {
    shown: shown.length,
    families: new Map(Array.from(byFamily, ([family, some]) => [family, some.length])),
    wall: shown.slice(0, LIMITS.wallShown),
    leaderboard: rankings.leaderboard(),
    streaks: rankings.streaks(),
  };
}

/** A UTC day's check-ins by name key, including hidden ones. */
export async function readDay(store: Store, day: string): Promise<Map<string, StoredCheckIn>> {
  const checkIns = new Map<string, StoredCheckIn>();
  for await (
    const { key, value } of store.list<StoredCheckIn>({ prefix: guestbookKeys.checkInsOf(day) })
  ) checkIns.set(key[2] as string, value);
  return checkIns;
}

async function readAll(
  store: Store,
  { day, revision }: { day: string; revision: number },
): Promise<Day> {
  const read: Day = {
    day,
    revision,
    checkIns: await readDay(store, day),
    rankings: new GuestRankings(dayNumber(day)),
  };
  for await (const { key, value } of store.list<AgentRecord>({ prefix: guestbookKeys.agents })) {
    read.rankings.offer(key[1] as string, value);
  }
  return read;
}

/** Reads some names' check-ins and records again. */
async function readAgain(store: Store, day: Day, names: readonly string[]): Promise<void> {
  const entries = await store.getMany<unknown>(
    names.flatMap((name) => [guestbookKeys.checkIn(day.day, name), guestbookKeys.agent(name)]),
  );
  for (const [i, name] of names.entries()) {
    const checkIn = entries[2 * i]!.value as StoredCheckIn | null;
    const record = entries[2 * i + 1]!.value as AgentRecord | null;
    if (checkIn !== null) day.checkIns.set(name, checkIn);
    if (record !== null) day.rankings.offer(name, record);
  }
}
