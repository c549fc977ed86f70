import { HOUR_MS } from "../clock.ts";

/** How old (ms) the hot ranking that is shown may be. */
export const HOT_MAX_AGE_MS = 1000;

/** Hours that are added to every age. */
const HEAD_START_HOURS = 2;

/** What the hot score is made of; `createdAt` in milliseconds since the epoch. */
export interface HotInput {
  votes: number;
  clicks: number;
  createdAt: number;
}

/** Age in hours at the time `at`; a record from the future counts as new. */
export function ageHours(createdAt: number, at: number): number {
  return Math.max(0, at - createdAt) / HOUR_MS;
}

/** The numerator of the hot score. */
function weight({ votes, clicks }: Pick<HotInput, "votes" | "clicks">): number {
  return votes + clicks * 0.1 + 1;
}

/**
 * The hot score of the contract: (votes + clicks x 0.1 + 1) / (age in hours + 2)^1.5. It is
 * computed as x * sqrt(x), which equals x^1.5 at a tenth of the cost of Math.pow.
 */
export function hotScore(input: HotInput, at: number): number {
  const base = ageHours(input.createdAt, at) + HEAD_START_HOURS;
  return weight(input) / (base * Math.sqrt(base));
}

/** The factor of a listing's age in `coldness`. */
export function cooling(input: Pick<HotInput, "votes" | "clicks">): number {
  return Math.pow(weight(input), -2 / 3);
}

/**
 * (age + 2 h) x `cooling`, which is the hot score to the power of -2/3 but for a constant factor.
 * So the listing with the lowest coldness is the hottest. Unlike the score it grows linearly with
 * time, which lets us compute when two listings change places.
 */
export function coldness(
  { createdAt, cooling }: Pick<HotInput, "createdAt"> & { cooling: number },
  at: number,
): number {
  return (Math.max(0, at - createdAt) + HEAD_START_HOURS * HOUR_MS) * cooling;
}
