import { isoTime, MINUTE_MS } from "../lib/clock.ts";
import { Enhance } from "./Enhance.tsx";

/** The time left until a moment, by the server's clock `now` (ms). Counts down with a script. */
export function Countdown({ until, now }: { until: string; now: number }) {
  return (
    <>
      <Enhance />
      <span class="countdown" data-until={until} data-now={isoTime(now)}>
        {wordsUntil(Date.parse(until) - now)}
      </span>
    </>
  );
}

function wordsUntil(ms: number): string {
  if (ms <= 0) return "closed";
  const minutes = Math.ceil(ms / MINUTE_MS);
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor(minutes / 60) % 24;
  const parts = [days > 0 && `${days} d`, (days > 0 || hours > 0) && `${hours} h`];
  return `in ${[...parts, `${minutes % 60} min`].filter(Boolean).join(" ")}`;
}
