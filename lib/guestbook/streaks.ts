import { DAY_MS, dayStart } from "../clock.ts";
import { LIMITS } from "../limits.ts";

/**
 * Days with a check-in, as runs of consecutive UTC days, oldest first. A run is a pair of its first
 * and last day, each as the number of days since the Unix epoch. Only the latest runs are kept, so
 * a record stays small.
 */
export type Runs = readonly (readonly [first: number, last: number])[];

/** The number of a UTC day (YYYY-MM-DD): days since the Unix epoch. */
export function dayNumber(day: string): number {
  return dayStart(day) / DAY_MS;
}

/** The runs with a day added. */
export function addDay(runs: Runs, day: number): Runs {
  if (hasDay(runs, day)) return runs;
  const before = runs.filter(([, last]) => last < day);
  const after = runs.filter(([first]) => first > day);
  const left = before.at(-1);
  const right = after.at(0);
  const joinsLeft = left !== undefined && left[1] === day - 1;
  const joinsRight = right !== undefined && right[0] === day + 1;
  return [
    ...(joinsLeft ? before.slice(0, -1) : before),
    [joinsLeft ? left[0] : day, joinsRight ? right[1] : day] as const,
    ...(joinsRight ? after.slice(1) : after),
  ];
}

/** The runs without a day. */
export function removeDay(runs: Runs, day: number): Runs {
  return runs.flatMap(([first, last]) => {
    if (day < first || day > last) return [[first, last] as const];
    const parts: (readonly [number, number])[] = [[first, day - 1], [day + 1, last]];
    return parts.filter(([from, to]) => from <= to);
  });
}

/** True if a day is in the runs. */
export function hasDay(runs: Runs, day: number): boolean {
  return runs.some(([first, last]) => first <= day && day <= last);
}

/**
 * As many runs as fit in the days for which streaks are measured, and one more: a fast clock may
 * have created a run in the future.
 */
const MOST_RUNS = LIMITS.streakDays / 2 + 1;

/** The runs that are kept. */
export function latestRuns(runs: Runs): Runs {
  return runs.slice(-MOST_RUNS);
}

/** How many days of the runs are between two days, inclusive. */
export function countDays(runs: Runs, from: number, to: number): number {
  return clip(runs, from, to).reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/**
 * The current streak: it ends today, or yesterday while today's check-in may still come. 0 if there
 * is none.
 */
export function currentStreak(runs: Runs, today: number): number {
  const [first, last] = clip(runs, 0, today).at(-1) ?? [0, -1];
  return last >= today - 1 ? last - first + 1 : 0;
}

/** The longest streak within the last 400 days. */
export function longestStreak(runs: Runs, today: number): number {
  const recent = clip(runs, today - LIMITS.streakDays + 1, today);
  return recent.reduce((most, [first, last]) => Math.max(most, last - first + 1), 0);
}

/** The part of the runs for which streaks are measured, and anything after `today`. */
export function measuredRuns(runs: Runs, today: number): Runs {
  return clip(runs, today - LIMITS.streakDays + 1, Infinity);
}

function clip(runs: Runs, from: number, to: number): Runs {
  return runs.flatMap(([first, last]) => {
    const run = [Math.max(first, from), Math.min(last, to)] as const;
    return run[0] <= run[1] ? [run] : [];
  });
}
