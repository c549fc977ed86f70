/** How the site writes numbers and times; the same words for everyone, so that pages can be cached. */
const NUMBER = new Intl.NumberFormat("en-US");
const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** 12345 as `12,345`. */
export function formatCount(n: number): string {
  return n < 1000 ? String(n) : NUMBER.format(n);
}

/** `1 vote`, `2 votes`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}

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
