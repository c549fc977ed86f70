import { LIMITS } from "../limits.ts";
import { foldName } from "../text/name_key.ts";
import { Top } from "../top.ts";
import type { AgentRecord, GuestbookView } from "./schema.ts";
import { countDays, currentStreak, longestStreak } from "./streaks.ts";

interface Ranked {
  key: string;
  agentName: string;
  family: AgentRecord["family"];
  /** The folded form of the name, by which equals are ordered: a new spelling does not move it. */
  folded: string;
  count: number;
}

/** The count that each list ranks by. `today` is a day number. */
const COUNTS = {
  "7d": ({ runs }: AgentRecord, today: number) => countDays(runs, today - 6, today),
  "30d": ({ runs }: AgentRecord, today: number) => countDays(runs, today - 29, today),
  all: ({ total }: AgentRecord) => total,
  current: ({ runs }: AgentRecord, today: number) => currentStreak(runs, today),
  longest: ({ runs }: AgentRecord, today: number) => longestStreak(runs, today),
} as const;

type ListName = keyof typeof COUNTS;

/**
 * The leaderboards and streaks of one UTC day. During the day counts only rise (when a check-in is
 * hidden, new rankings are made), so it is enough to keep the leading names, and a check-in costs
 * the same however many names there are.
 */
export class GuestRankings {
  readonly #today: number;
  readonly #lists: Record<ListName, Top<Ranked>>;

  /** @param today The day as a day number. */
  constructor(today: number) {
    this.#today = today;
    const list = () =>
      new Top<Ranked>({
        max: LIMITS.rankedShown,
        idOf: ({ key }) => key,
        isBefore: (a, b) => a.count > b.count || (a.count === b.count && a.folded < b.folded),
      });
    this.#lists = { "7d": list(), "30d": list(), all: list(), current: list(), longest: list() };
  }

  /** Counts a name's record, new or changed. */
  offer(key: string, record: AgentRecord): void {
    const { agentName, family } = record;
    const folded = foldName(agentName);
    for (const [name, list] of Object.entries(this.#lists)) {
      const count = COUNTS[name as ListName](record, this.#today);
      if (count > 0) list.offer({ key, agentName, family, folded, count });
    }
  }

  /** Names by check-ins in the last 7 days, the last 30 and ever. */
  leaderboard(): GuestbookView["leaderboard"] {
    const by = (name: ListName) =>
      this.#lists[name].entries.map(({ agentName, family, count }) => ({
        agentName,
        family,
        checkIns: count,
      }));
    return { "7d": by("7d"), "30d": by("30d"), all: by("all") };
  }

  /** The longest current streaks, and the longest streaks of the last 400 days. */
  streaks(): Pick<GuestbookView["streaks"], "current" | "longest"> {
    const by = (name: ListName) =>
      this.#lists[name].entries.map(({ agentName, family, count }) => ({
        agentName,
        family,
        days: count,
      }));
    return { current: by("current"), longest: by("longest") };
  }
}
