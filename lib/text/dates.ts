/** How the site writes dates: in UTC, and the same for everyone, so that pages can be cached. */
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "../clock.ts";
import { plural } from "./count.ts";

const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const LONG_DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  timeZone: "UTC",
});
const LONG_DATE = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** An ISO time as `4 Mar 2026`, in UTC. */
export function formatDay(iso: string): string {
  return DAY.format(new Date(iso));
}

/** The time of day of an ISO time as `12:05`, in UTC. */
export function formatClock(iso: string): string {
  return iso.slice(11, 16);
}

/** An ISO time as `4 Mar 2026, 12:05 UTC`. */
export function formatTime(iso: string): string {
  return `${formatDay(iso)}, ${formatClock(iso)} UTC`;
}

/** How long ago a moment (ms) was, for people: `5 minutes ago`; from 30 days on the day itself. */
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
 * The days from one ISO time until before another: `23 to 29 Nov 2026`, `30 Nov to 6 Dec 2026`, or
 * `4 Mar 2026` if it is a single day.
 */
export function formatSpan(startsAt: string, endsAt: string): string {
  const last = formatDay(isoTime(Date.parse(endsAt) - 1));
  if (formatDay(startsAt) === last) return last;
  const first = formatDay(startsAt).split(" ");
  const shared = first[2] !== last.split(" ")[2] ? 0 : first[1] !== last.split(" ")[1] ? 1 : 2;
  return `${first.slice(0, 3 - shared).join(" ")} to ${last}`;
}

/** The same with whole months: `30 November to 6 December 2026`, or with the year twice. */
export function formatLongSpan(startsAt: string, endsAt: string): string {
  const last = isoTime(Date.parse(endsAt) - 1);
  const first = startsAt.slice(0, 4) === last.slice(0, 4) ? LONG_DAY : LONG_DATE;
  return `${first.format(new Date(startsAt))} to ${LONG_DATE.format(new Date(last))}`;
}

/** How long to wait, for people: `45 seconds`, `60 minutes`. */
export function waitingTime(seconds: number): string {
  return seconds < 90 ? plural(seconds, "second") : plural(Math.ceil(seconds / 60), "minute");
}
