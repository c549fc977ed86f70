import { isoTime } from "../lib/clock.ts";

/** How the site writes days: the same for everyone, so that pages can be cached. */
const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
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

/** The host of a URL without `www.`, for people. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^www\./, "");
}

/** Hosts on which the first part of a path says whose a project is. */
const CODE_HOSTS = new Set(["github.com", "gitlab.com", "codeberg.org", "bitbucket.org"]);

/** A name that such hosts give to somebody. */
const OWNER = /^\w[\w.-]{0,38}$/;
/** Parts of their paths that are nobody's name. */
const NO_OWNERS = new Set(["apps", "explore", "groups", "marketplace", "orgs", "sponsors"]);

/** Where a project lives, in a word: its host, and on a host of code whose it is. */
export function siteOf(url: string): string {
  const host = hostOf(url);
  const owner = new URL(url).pathname.split("/")[1]!;
  const isNamed = CODE_HOSTS.has(host) && OWNER.test(owner) && !NO_OWNERS.has(owner);
  return isNamed ? `${host}/${owner}` : host;
}

/** A URL for people: its host and path, cut if it is long. */
export function shortAddress(url: string): string {
  const address = hostOf(url) + new URL(url).pathname.replace(/\/$/, "");
  return address.length <= 60 ? address : `${address.slice(0, 59)}…`;
}
