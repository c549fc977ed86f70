/** Date formats of the site: in UTC and the same for everyone, so pages can be cached. */
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "../clock.ts";
import { plural } from "./count.ts";

/**
 * American English, in UTC. Made when it is first needed: reading the locale's data would delay the
 * server's start.
 */
const format = (options: Intl.DateTimeFormatOptions) => {
  let made: Intl.DateTimeFormat | undefined;
  return () =>
    made ??= new Intl.DateTimeFormat("en-US", {
      day: "numeric",
      year: "numeric",
      timeZone: "UTC",
      ...options,
    });
};
const day = format({ month: "short" });
const longDay = format({ month: "long" });

/** An ISO time as `Mar 4, 2026`, in UTC. */
export function formatDay(iso: string): string {
  return day().format(new Date(iso));
}

/** The time of day of an ISO time as `12:05`, in UTC. */
export function formatClock(iso: string): string {
  return iso.slice(11, 16);
}

/** An ISO time as `Mar 4, 2026 at 12:05 UTC`. */
export function formatTime(iso: string): string {
  return `${formatDay(iso)} at ${formatClock(iso)} UTC`;
}

/** How long ago a time (ms) was, for people: `5 minutes ago`; after 30 days, the date. */
export function formatAge(at: number, now: number): string {
  const age = Math.max(0, now - at);
  if (age < MINUTE_MS) return "just now";
  if (age >= 30 * DAY_MS) return formatDay(isoTime(at));
  const [unit, name] = age < HOUR_MS
    ? [MINUTE_MS, "minute"] as const
    : age < DAY_MS
    ? [HOUR_MS, "hour"] as const
    : [DAY_MS, "day"] as const;
  return `${plural(Math.floor(age / unit), name)} ago`;
}

/**
 * The days from one ISO time until before another: `Nov 23 to 29, 2026`, `Nov 30 to Dec 6, 2026`,
 * or `Mar 4, 2026` for a single day.
 */
export function formatSpan(startsAt: string, endsAt: string): string {
  return spanOf(day(), startsAt, endsAt);
}

/** The same with full month names: `November 30 to December 6, 2026`. */
export function formatLongSpan(startsAt: string, endsAt: string): string {
  return spanOf(longDay(), startsAt, endsAt);
}

function spanOf(format: Intl.DateTimeFormat, startsAt: string, endsAt: string): string {
  const last = new Date(Date.parse(endsAt) - 1);
  return format.formatRange(new Date(startsAt), last).replace(/\s*–\s*/, " to ");
}

/** How long to wait, for people: `45 seconds`, `60 minutes`. */
export function waitingTime(seconds: number): string {
  return seconds < 90 ? plural(seconds, "second") : plural(Math.ceil(seconds / 60), "minute");
}
