import { formatAge, formatDay, formatTime } from "../lib/text/dates.ts";

/** A moment, as a day or with the time (`exact`), also in machine-readable form. */
export function Time({ iso, exact = false }: { iso: string; exact?: boolean }) {
  return <time dateTime={iso}>{exact ? formatTime(iso) : formatDay(iso)}</time>;
}

/**
 * How long ago a moment was at `now` (ms); programs and a hovering pointer get the moment itself.
 */
export function Age({ iso, now }: { iso: string; now: number }) {
  return <time dateTime={iso} title={formatTime(iso)}>{formatAge(Date.parse(iso), now)}</time>;
}
