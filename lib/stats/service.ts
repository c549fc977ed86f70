import { aiUserAgents } from "../catalog/ai_operators.ts";
import { addDays, isoTime, utcDay } from "../clock.ts";
import type { VisitorClass } from "../http/caller.ts";
import type { Deps } from "./deps.ts";
import { type AiVisitors, BySurface, type Stats } from "./schema.ts";
import type { AgentRequests, SurfaceRequests } from "./traffic.ts";

/** What the visitor classes mean, as stated everywhere. */
const CLASS_NOTES: Readonly<Record<VisitorClass, string>> = {
  person: "Browsers",
  ai_agent: "Requests with X-Agent-Name, over MCP, or from a known AI user agent",
  crawler: "Other recognized bots and programs",
};

/**
 * Public traffic counters: requests by surface and visitor class, and AI user agents by name. They
 * are summed over all days at most once every ten seconds, regardless of load, and when an AI user
 * agent first shows up on a day.
 */
export function getStats(deps: Deps): Promise<Stats> {
  const now = deps.clock.now();
  return deps.traffic.stats.get(utcDay(now), now, () => readStats(deps));
}

async function readStats(deps: Deps): Promise<Stats> {
  const { traffic, clock } = deps;
  const today = utcDay(clock.now());
  // Skip future days, which a clock that ran ahead may have counted: no window includes them yet.
  const all = (await traffic.bySurface()).filter(({ day }) => day <= today);
  const byDay = Map.groupBy(all, ({ day }) => day);
  const since = all[0]?.day ?? null;
  const visits = await traffic.byAgent(addDays(today, -29), today);
  const last = (days: number) => all.filter(({ day }) => day > addDays(today, -days));
  return {
    unit: "Successful requests, excluding images and styles",
    since,
    classes: { ...CLASS_NOTES },
    windows: { today: sum(last(1)), "7d": sum(last(7)), "30d": sum(last(30)), all: sum(all) },
    days: Array.from({ length: 30 }, (_, i) => addDays(today, i - 29))
      .filter((day) => since !== null && day >= since)
      .map((day) => ({ day, traffic: sum(byDay.get(day) ?? []) })),
    aiVisitors: {
      "1d": countAiVisitors(visits, today),
      "7d": countAiVisitors(visits, addDays(today, -6)),
      "30d": countAiVisitors(visits, addDays(today, -29)),
    },
    generatedAt: isoTime(clock.now()),
  };
}

/** Known AI user agents seen since a UTC day, most requests first. */
function countAiVisitors(visits: readonly AgentRequests[], from: string): AiVisitors {
  const sums = new Map<string, number>();
  for (const { day, name, requests } of visits) {
    if (day >= from) sums.set(name, (sums.get(name) ?? 0) + requests);
  }
  return aiUserAgents
    .filter(({ name }) => sums.has(name))
    .map(({ name, operator }) => ({ name, operator, requests: sums.get(name)! }))
    .sort((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1));
}

function sum(counted: readonly SurfaceRequests[]): BySurface {
  const nobody = () => ({ person: 0, ai_agent: 0, crawler: 0, total: 0 });
  const sums = Object.fromEntries(
    BySurface.keyof().options.map((name) => [name, nobody()]),
  ) as BySurface;
  for (const { surface, visitorClass, requests } of counted) {
    // After a rollback, there may be surfaces of a newer version.
    if (!(surface in sums)) continue;
    for (const target of [sums[surface], sums.all]) {
      target[visitorClass] += requests;
      target.total += requests;
    }
  }
  return sums;
}
