import { formatDay, formatTime } from "../lib/text/dates.ts";

/** A moment, as a day or with the time of day (`exact`), in a form that programs can read too. */
export function Time({ iso, exact = false }: { iso: string; exact?: boolean }) {
  return <time dateTime={iso}>{exact ? formatTime(iso) : formatDay(iso)}</time>;
}
