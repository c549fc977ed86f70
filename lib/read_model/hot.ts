import { HOUR_MS } from "../clock.ts";

/** The maximum age (ms) of the hot ranking on display. */
export const HOT_MAX_AGE_MS = 1000;

/** Hours added to every age. */
const HEAD_START_HOURS = 2;

/** Age in hours at time `at`. A record from the future counts as new. */
export function ageHours(createdAt: number, at: number): number {
  return Math.max(0, at - createdAt) / HOUR_MS;
}

/** The part of the hot score that depends only on votes and clicks. */
export function hotWeight(votes: number, clicks: number): number {
  return votes + clicks * 0.1 + 1;
}

/**
 * The contract's hot score at time `at` for a weight (`hotWeight`): (votes + clicks x 0.1 + 1) /
 * (age in hours + 2)^1.5. Computed as x * sqrt(x), which equals x^1.5 at a tenth of the cost of
 * Math.pow.
 */
export function coolDown(weight: number, createdAt: number, at: number): number {
  const base = ageHours(createdAt, at) + HEAD_START_HOURS;
  return weight / (base * Math.sqrt(base));
}
