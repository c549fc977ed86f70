import { HOUR_MS } from "../clock.ts";
import type { Row } from "./row.ts";

/** The maximum age (ms) of the hot ranking on display. */
export const HOT_MAX_AGE_MS = 1000;

/** Age in hours at time `at`. A record from the future counts as new. */
export function ageHours(createdAt: number, at: number): number {
  return Math.max(0, at - createdAt) / HOUR_MS;
}

/** The contract's hot score at time `at`: (votes + clicks x 0.1 + 1) / (age in hours + 2)^1.5. */
export function hotScore({ votes, uses, createdAt }: Omit<Row, "id" | "slug">, at: number): number {
  return (votes + uses * 0.1 + 1) / (ageHours(createdAt, at) + 2) ** 1.5;
}
