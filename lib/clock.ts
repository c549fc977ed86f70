/** Where time comes from; services take one so that tests can fix it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** A minute in ms. */
export const MINUTE_MS = 60_000;
/** An hour in ms. */
export const HOUR_MS = 60 * MINUTE_MS;
/** A day in ms. */
export const DAY_MS = 24 * HOUR_MS;

/**
 * A UTC day's counts are taken as final so long after its end: what was answered in its last moment has been
 * written by then, and the traffic of every process too.
 */
export const DAY_GRACE_MS = 2 * MINUTE_MS;

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

let lastDay = { start: NaN, day: "" };

/** The UTC day of a time (ms), as YYYY-MM-DD. The last one is kept, for every request asks which day it is. */
export function utcDay(ms: number): string {
  if (!(ms >= lastDay.start && ms < lastDay.start + DAY_MS)) {
    lastDay = {
      start: Math.floor(ms / DAY_MS) * DAY_MS,
      day: new Date(ms).toISOString().slice(0, 10),
    };
  }
  return lastDay.day;
}

/** The first millisecond of a UTC day given as YYYY-MM-DD. */
export function dayStart(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** The UTC day that lies `days` after another, both as YYYY-MM-DD. */
export function addDays(day: string, days: number): string {
  return utcDay(dayStart(day) + days * DAY_MS);
}

/** When the UTC day after another (YYYY-MM-DD) begins, as ISO 8601. */
export function nextDayAt(day: string): string {
  return isoTime(dayStart(addDays(day, 1)));
}

/** How many seconds ago a time (ms) was, 0 where it is to come; null for none. */
export function secondsSince<T extends number | null>(at: T, now: number): number | (T & null) {
  return at === null ? at : Math.max(0, Math.round((now - at) / 1000));
}

/** The earliest of some times (ms), or null. */
export function earliest(times: readonly number[]): number | null {
  return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b));
}

/** A time (ms) as ISO 8601 in UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
