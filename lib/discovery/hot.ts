import { HOUR_MS } from "../clock.ts";

/** Milliseconds for which one hot ranking may serve: the order is never older than this. */
export const HOT_MAX_AGE_MS = 1000;

/** Hours that are added to each age. */
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

/** What a listing has been given, as the hot score weighs it. */
function weight({ votes, clicks }: Pick<HotInput, "votes" | "clicks">): number {
  return votes + clicks * 0.1 + 1;
}

/**
 * The hot score of the contract: (votes + clicks x 0.1 + 1) / (age in hours + 2)^1.5.
 * x * sqrt(x) is x^1.5 at a tenth of the price of Math.pow.
 */
export function hotScore(input: HotInput, at: number): number {
  const base = ageHours(input.createdAt, at) + HEAD_START_HOURS;
  return weight(input) / (base * Math.sqrt(base));
}

/** What the age of a listing is multiplied with in `coldness`. */
export function cooling(input: Pick<HotInput, "votes" | "clicks">): number {
  return Math.pow(weight(input), -2 / 3);
}

/**
 * The hot score to the power of -2/3, but for a constant factor: (age + 2 h) x `cooling`. It grows evenly with time;
 * whoever has the lowest is the hottest.
 */
export function coldness(
  { createdAt, cooling }: Pick<HotInput, "createdAt"> & { cooling: number },
  at: number,
): number {
  return (Math.max(0, at - createdAt) + HEAD_START_HOURS * HOUR_MS) * cooling;
}
