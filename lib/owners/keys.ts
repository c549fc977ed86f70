import type { EntryKind } from "../entries/entries.ts";

/**
 * Keys of ownership proofs.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["ownership_checks", slug] | `OwnershipCheck` of a listing with a verified owner | proof, the weekly check |
 * | ["skill_ownership_checks", slug] | the same for a skill | the same |
 */
export const ownerKeys = {
  check: (kind: EntryKind, slug: string) => [...ownerKeys.checks[kind], slug],
  checks: {
    listing: ["ownership_checks"],
    skill: ["skill_ownership_checks"],
  },
} as const;

/** When a proof is checked again. */
export interface OwnershipCheck {
  /** ms since the epoch. */
  dueAt: number;
  /** How many times in a row it was not found. */
  failures: number;
}
