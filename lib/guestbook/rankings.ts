import type { AgentRecord, GuestbookView } from "./schema.ts";
import { countDays, currentStreak, longestStreak } from "./streaks.ts";

/** The most names in each list. */
const LIST_MAX = 50;

type Ranked = { agentName: string; family: AgentRecord["family"]; count: number };

/** Leaderboards by check-ins in the last 7 days, the last 30 and ever; `today` is a day number. */
export function leaderboards(
  agents: Iterable<AgentRecord>,
  today: number,
): GuestbookView["leaderboard"] {
  const all = [...agents];
  const by = (count: (agent: AgentRecord) => number) =>
    top(all, count).map(({ count, ...agent }) => ({ ...agent, checkIns: count }));
  return {
    "7d": by(({ runs }) => countDays(runs, today - 6, today)),
    "30d": by(({ runs }) => countDays(runs, today - 29, today)),
    all: by(({ total }) => total),
  };
}

/** The longest streaks: those alive now, and those of the last 400 days. */
export function streakLists(
  agents: Iterable<AgentRecord>,
  today: number,
): Pick<GuestbookView["streaks"], "current" | "longest"> {
  const all = [...agents];
  const by = (count: (agent: AgentRecord) => number) =>
    top(all, count).map(({ count, ...agent }) => ({ ...agent, days: count }));
  return {
    current: by(({ runs }) => currentStreak(runs, today)),
    longest: by(({ runs }) => longestStreak(runs, today)),
  };
}

/** Names with the highest counts above 0; equal ones by name. */
function top(agents: AgentRecord[], count: (agent: AgentRecord) => number): Ranked[] {
  return agents
    .map((agent) => ({ agentName: agent.agentName, family: agent.family, count: count(agent) }))
    .filter((agent) => agent.count > 0)
    .sort((a, b) => b.count - a.count || (a.agentName < b.agentName ? -1 : 1))
    .slice(0, LIST_MAX);
}
