import { imitatedFamily } from "../catalog/ai_families.ts";
import { LIMITS } from "../limits.ts";
import { foldName } from "../text/name_key.ts";
import type { AgentRecord, GuestbookView } from "./schema.ts";
import { countDays, currentStreak, longestStreak } from "./streaks.ts";

interface Ranked {
  key: string;
  agentName: string;
  family: AgentRecord["family"];
  /** The folded form of the name, which orders ties: a new spelling does not move it. */
  folded: string;
  count: number;
}

type CountOf = (record: AgentRecord, today: number) => number;

/** The count that each list ranks by. `today` is a day number. */
const COUNTS = {
  "7d": ({ runs }, today) => countDays(runs, today - 6, today),
  "30d": ({ runs }, today) => countDays(runs, today - 29, today),
  all: ({ total }) => total,
  current: ({ runs }, today) => currentStreak(runs, today),
  longest: ({ runs }, today) => longestStreak(runs, today),
} satisfies Record<string, CountOf>;

type ListName = keyof typeof COUNTS;

/** By days, highest first, then by name. */
const RULES = {
  max: LIMITS.rankedShown,
  order: (a: Ranked, b: Ranked) => b.count - a.count || (a.folded < b.folded ? -1 : 1),
};

/**
 * The leaderboards and streaks of one UTC day. During the day counts only rise (hiding a check-in
 * makes new rankings), so keeping the leading names is enough, and a check-in costs the same
 * however many names there are.
 */
export class GuestRankings {
  readonly #today: number;
  readonly #lists = new Map<ListName, readonly Ranked[]>();

  /** @param today The day as a day number. */
  constructor(today: number) {
    this.#today = today;
  }

  /** Counts a name's record, new or changed. */
  offer(key: string, record: AgentRecord): void {
    const { agentName, family } = record;
    const folded = foldName(agentName);
    for (const [name, countOf] of Object.entries(COUNTS) as [ListName, CountOf][]) {
      const count = countOf(record, this.#today);
      if (count === 0) continue;
      const entry = { key, agentName, family, folded, count };
      this.#lists.set(name, ranked(this.#lists.get(name) ?? [], entry, RULES));
    }
  }

  /** Names by check-ins in the last 7 days, the last 30 and of all time. */
  leaderboard(): GuestbookView["leaderboard"] {
    const by = (name: ListName) => this.#shown(name, "checkIns");
    return { "7d": by("7d"), "30d": by("30d"), all: by("all") };
  }

  /** The longest current streaks, and the longest streaks of the last 400 days. */
  streaks(): Pick<GuestbookView["streaks"], "current" | "longest"> {
    return { current: this.#shown("current", "days"), longest: this.#shown("longest", "days") };
  }

  /** A list with its count under a name. */
  #shown<Count extends string>(name: ListName, count: Count) {
    return (this.#lists.get(name) ?? []).map((entry) => ({
      agentName: entry.agentName,
      family: entry.family,
      imitates: imitatedFamily(entry.agentName),
      ...{ [count]: entry.count } as Record<Count, number>,
    }));
  }
}

/**
 * The leading entries with one more ranked in, replacing the one with the same key. An entry must
 * not rank lower than before: what fell out is forgotten and can't come back.
 */
export function ranked<T extends { key: string }>(
  leading: readonly T[],
  entry: T,
  { max, order }: { max: number; order: (a: T, b: T) => number },
): readonly T[] {
  const last = leading[max - 1];
  // Most entries don't rank high enough.
  if (last !== undefined && last.key !== entry.key && order(entry, last) > 0) return leading;
  const others = leading.filter(({ key }) => key !== entry.key);
  return [...others, entry].sort(order).slice(0, max);
}
