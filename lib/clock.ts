/** The source of time. Services take one so tests can fix it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** A span of time, in ms since the epoch: from `from` to before `until`. */
export interface Span {
  from: number;
  until: number;
}

/** A minute in ms. */
export const MINUTE_MS = 60_000;
/** An hour in ms. */
export const HOUR_MS = 60 * MINUTE_MS;
/** A day in ms. */
export const DAY_MS = 24 * HOUR_MS;

/** How far (ms) the clocks of servers may differ. */
export const CLOCK_SKEW_MS = MINUTE_MS;

/**
 * How long (ms) after its end a UTC day's counts are final: by then, responses from its last moment
 * and every process's traffic counts have been written.
 */
export const DAY_GRACE_MS = 2 * MINUTE_MS;

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** The UTC day of a time (ms), as YYYY-MM-DD. */
export function utcDay(ms: number): string {
  return isoTime(ms).slice(0, 10);
}

/** True if data for a UTC day (YYYY-MM-DD) can no longer arrive at `now` (ms). */
export function isFinalDay(day: string, now: number): boolean {
  return day < utcDay(now - DAY_GRACE_MS);
}

/** The first millisecond of a UTC day given as YYYY-MM-DD. */
export function dayStart(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** The UTC day (YYYY-MM-DD) `days` after another. */
export function addDays(day: string, days: number): string {
  return utcDay(dayStart(day) + days * DAY_MS);
}

/** The start of the UTC day after the given one (YYYY-MM-DD), as ISO 8601. */
export function nextDayAt(day: string): string {
  return isoTime(dayStart(addDays(day, 1)));
}

/** Whole seconds since a time (ms): 0 if it is in the future, null if there is none. */
export function secondsSince<T extends number | null>(at: T, now: number): number | (T & null) {
  return at === null ? at : Math.max(0, Math.round((now - at) / 1000));
}

/** The earliest of several times (ms), or null. */
export function earliest(times: readonly number[]): number | null {
  return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b));
}

/** A time (ms) as ISO 8601 in UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * Resolves after `ms` of real time, whatever a service's clock says. With 0, after waiting requests
 * have had a turn.
 */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Resolves or rejects when `work` does, or resolves after `ms` of real time. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await Promise.race([work, new Promise((resolve) => timer = setTimeout(resolve, ms))]);
  } finally {
    clearTimeout(timer);
  }
}
