import { addDays, DAY_GRACE_MS, utcDay } from "../clock.ts";
import { counterValue, type Store } from "../kv/store.ts";
import { Recent } from "../recent.ts";
import { guestbookKeys } from "./keys.ts";
import type { AgentRecord, StoredCheckIn } from "./schema.ts";
import { addDay, dayNumber, hasDay, removeDay } from "./streaks.ts";

/** The guestbook as of a moment. */
export interface Guests {
  /** What each name's check-ins come to, by name key. */
  agents: ReadonlyMap<string, AgentRecord>;
  /** Today's check-ins by name key, hidden ones too. */
  today: ReadonlyMap<string, StoredCheckIn>;
}

interface Past {
  revision: number;
  /** The last day whose check-ins are in `agents`. */
  through: string;
  agents: Map<string, AgentRecord>;
}

/**
 * The guestbook in memory: names and their days are read once a day and after an operator hid something, the
 * day that runs at most once a second or after a check-in of this process.
 */
export class GuestbookBoard {
  readonly #store: Store;
  #past: Promise<Past> | undefined;
  readonly #guests = new Recent<Guests>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Says that a check-in of this process has landed, or was hidden. */
  changed(): void {
    this.#guests.drop();
  }

  /** The guestbook at `now` (ms). */
  read(now: number): Promise<Guests> {
    return this.#guests.get(utcDay(now), now, () => this.#read(now));
  }

  async #read(now: number): Promise<Guests> {
    const today = utcDay(now);
    const final = addDays(utcDay(now - DAY_GRACE_MS), -1);
    const revision = counterValue(await this.#store.get(guestbookKeys.revision));
    let past = await this.#past?.catch(() => undefined);
    if (past?.revision !== revision || past.through !== final) {
      past = await (this.#past = readPast(this.#store, { revision, through: final, today }));
    }
    const agents = new Map(past.agents);
    let checkIns = new Map<string, StoredCheckIn>();
    for (let day = addDays(final, 1); day <= today; day = addDays(day, 1)) {
      checkIns = await readDay(this.#store, day);
      for (const [name, checkIn] of checkIns) {
        if (!checkIn.hidden) agents.set(name, countDay(agents.get(name), checkIn, dayNumber(day)));
      }
    }
    return { agents, today: checkIns };
  }
}

/** The check-ins of a UTC day by name key, hidden ones too. */
export async function readDay(store: Store, day: string): Promise<Map<string, StoredCheckIn>> {
  const checkIns = new Map<string, StoredCheckIn>();
  for await (
    const { key, value } of store.list<StoredCheckIn>({ prefix: guestbookKeys.checkInsOf(day) })
  ) checkIns.set(key[2] as string, value);
  return checkIns;
}

/** Every name's record without the days that still run; those are counted from their check-ins. */
async function readPast(
  store: Store,
  options: { revision: number; through: string; today: string },
): Promise<Past> {
  const { revision, through, today } = options;
  const agents = new Map<string, AgentRecord>();
  for await (const { key, value } of store.list<AgentRecord>({ prefix: guestbookKeys.agents })) {
    let record = value;
    for (let day = dayNumber(through) + 1; day <= dayNumber(today); day++) {
      if (!hasDay(record.runs, day)) continue;
      record = { ...record, runs: removeDay(record.runs, day), total: record.total - 1 };
    }
    agents.set(key[1] as string, record);
  }
  return { revision, through, agents };
}

function countDay(
  record: AgentRecord | undefined,
  { agentName, family }: StoredCheckIn,
  day: number,
): AgentRecord {
  const { runs, total } = record ?? { runs: [], total: 0 };
  return { agentName, family, runs: addDay(runs, day), total: total + 1 };
}
