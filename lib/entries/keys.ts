import type { EntryKind } from "./entries.ts";

/**
 * Keys of the records of entries. Their other keys are in `lib/listings/keys.ts`, `lib/skills/keys.ts` and
 * `lib/votes/keys.ts`.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["listings", slug] | `StoredListing` | create, edit, operator |
 * | ["skills", slug] | `StoredSkill` | create, edit, operator |
 * | ["submission_receipts", kind, network, digest of the `Idempotency-Key`] | `Receipt`; expires | create |
 * | ["submission_receipts", kind, "", digest of a request with the submitter's own edit key] | the same | create |
 */
export const entryKeys = {
  listing: ["listings"],
  skill: ["skills"],
} as const satisfies Record<EntryKind, Deno.KvKey>;

/** The key of an entry's record. */
export function entryKey(kind: EntryKind, slug: string): Deno.KvKey {
  return [...entryKeys[kind], slug];
}

/** The key of a submission's receipt. */
export function receiptKey(kind: EntryKind, scope: string, digest: string): Deno.KvKey {
  return ["submission_receipts", kind, scope, digest];
}
