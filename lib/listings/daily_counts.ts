/** Clicks and votes of a listing by UTC day and visitor class. Crawlers' clicks do not count. */
import { addDays, utcDay } from "../clock.ts";
import type { VisitorClass } from "../http/caller.ts";
import { counterValue, type Store } from "../kv/store.ts";
import { voteKeys } from "../votes/keys.ts";
import { listingKeys } from "./keys.ts";

/** Clicks or votes by visitor class. */
type ByClass = Record<VisitorClass, number>;

/** What a listing got on each UTC day; days with nothing have no entry. */
export type DailyCounts = ReadonlyMap<string, { clicks: ByClass; votes: ByClass }>;

/** Zero for every class. */
export function nothing(): ByClass {
  return { person: 0, ai_agent: 0, crawler: 0 };
}

/**
 * At startup, stores the first whole day with clicks and votes counted by day. If a later day is
 * stored, the clock was ahead, so it is replaced.
 */
export async function noteDailyCounts(store: Store): Promise<void> {
  const tomorrow = addDays(utcDay(store.clock.now()), 1);
  await store.transact(async (tx) => {
    const { key, value } = await tx.get<string>(listingKeys.dailyCountsSince);
    if (value === null || value > tomorrow) tx.set(key, tomorrow);
  });
}

/** The first UTC day with complete counts, for any listing. */
export async function dailyCountsSince(store: Store): Promise<string> {
  const { value } = await store.get<string>(listingKeys.dailyCountsSince);
  return value ?? addDays(utcDay(store.clock.now()), 1);
}

/** What a listing got by day. A vote taken back is subtracted on the day it is taken back. */
export async function readDailyCounts(store: Store, slug: string): Promise<DailyCounts> {
  const days = new Map<string, { clicks: ByClass; votes: ByClass }>();
  const of = (day: string) => {
    const counts = days.get(day) ?? { clicks: nothing(), votes: nothing() };
    days.set(day, counts);
    return counts;
  };
  for await (const entry of store.list({ prefix: listingKeys.clickDays(slug) })) {
    const [, , day, visitorClass] = entry.key as [string, string, string, VisitorClass];
    of(day).clicks[visitorClass] += counterValue(entry);
  }
  for await (const entry of store.list({ prefix: voteKeys.days("listing", slug) })) {
    const [, , day, visitorClass, way] = entry.key as [
      string,
      string,
      string,
      VisitorClass,
      string,
    ];
    of(day).votes[visitorClass] += way === "up" ? counterValue(entry) : -counterValue(entry);
  }
  return days;
}
