import { type DomainError, notFound } from "./errors.ts";
import { listingKeys } from "./listings/keys.ts";
import { skillKeys } from "./skills/keys.ts";

/** The kinds of entries. Each has a page, with its slug at the end of the address, and can be upvoted. */
export type EntryKind = "listing" | "skill";

const NAMES: Record<EntryKind, string> = { listing: "project", skill: "skill" };

/** The key of an entry's record. */
export function entryKey(kind: EntryKind, slug: string): Deno.KvKey {
  return kind === "listing" ? listingKeys.one(slug) : skillKeys.one(slug);
}

/** The error for a slug that no live entry has; programs also send names and whole addresses. */
export function noEntry(kind: EntryKind): DomainError {
  return notFound(`No live ${NAMES[kind]} has this slug, the last part of its page's address`);
}

/** The record of an entry, if it is a live listing or skill. Throws `not_found` for any other. */
export function requireLive<T extends { state: string }>(
  { value }: { value: unknown },
  kind: EntryKind,
): T {
  const record = value as T | null;
  if (record?.state !== "live") throw noEntry(kind);
  return record;
}
