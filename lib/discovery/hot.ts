import { HOUR_MS } from "../clock.ts";

/** Milliseconds for which one hot ranking may serve: the order is never older than this. */
export const HOT_MAX_AGE_MS = 1000;

/** What the hot score is made of; `at` and `createdAt` are milliseconds since the epoch. */
export interface HotInput {
  votes: number;
  clicks: number;
  createdAt: number;
}

/** Age in hours at the time `at`; a record from the future counts as new. */
export function ageHours(createdAt: number, at: number): number {
  return Math.max(0, at - createdAt) / HOUR_MS;
}

/**
 * The hot score of the contract: (votes + clicks x 0.1 + 1) / (age in hours + 2)^1.5.
 * x * sqrt(x) is x^1.5 at a tenth of the price of Math.pow.
 */
export function hotScore({ votes, clicks, createdAt }: HotInput, at: number): number {
  const base = ageHours(createdAt, at) + 2;
  return (votes + clicks * 0.1 + 1) / (base * Math.sqrt(base));
}

/**
 * What the age of a listing is multiplied with to compare hot scores without computing them: the numerator of the
 * score to the power of -2/3. Score^(-2/3) is (age + 2 h) times this, and so grows evenly with time; the lowest is
 * the hottest.
 */
export function cooling({ votes, clicks }: Pick<HotInput, "votes" | "clicks">): number {
  return Math.pow(votes + clicks * 0.1 + 1, -2 / 3);
}
