/** How the site writes times; the same words for everyone, so that pages can be cached. */
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

/** An ISO time as `4 Mar 2026, 12:05 UTC`. */
export function formatTime(iso: string): string {
  return `${formatDay(iso)}, ${iso.slice(11, 16)} UTC`;
}

/** The host of a URL without `www.`, for people. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^www\./, "");
}
