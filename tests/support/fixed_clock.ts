import type { Clock } from "@/lib/clock.ts";

/** A clock that only moves when told to. */
export interface FixedClock extends Clock {
  set(ms: number): void;
  advance(ms: number): void;
}

/** Creates a test clock, set to `start` (ms since the epoch, or an ISO date). */
export function fixedClock(start: number | string): FixedClock {
  let at = typeof start === "number" ? start : Date.parse(start);
  return {
    now: () => at,
    set: (ms) => {
      at = ms;
    },
    advance: (ms) => {
      at += ms;
    },
  };
}
