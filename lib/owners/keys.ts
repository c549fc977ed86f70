/**
 * Keys of what owners prove.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["ownership_checks", slug] | `OwnershipCheck` of a listing with a verified owner | proof, the weekly check |
 */
export const ownerKeys = {
  check: (slug: string) => ["ownership_checks", slug],
  checks: ["ownership_checks"],
} as const;

/** When a proof is looked at again. */
export interface OwnershipCheck {
  /** ms since the epoch. */
  dueAt: number;
  /** How often in a row it was not found. */
  failures: number;
}
