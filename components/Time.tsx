import { formatAge, formatDay, formatTime } from "../lib/text/dates.ts";

/** A moment, as a day or with the time of day (`exact`), in a form that programs can read too. */
export function Time({ iso, exact = false }: { iso: string; exact?: boolean }) {
  return <time dateTime={iso}>{exact ? formatTime(iso) : formatDay(iso)}</time>;
}

/** How long ago a moment was at `now` (ms); the moment itself to programs and to a pointer. */
export function Age({ iso, now }: { iso: string; now: number }) {
  return <time dateTime={iso} title={formatTime(iso)}>{formatAge(Date.parse(iso), now)}</time>;
}
