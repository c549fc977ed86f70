import { DomainError } from "../errors.ts";

/** The kinds of entries. Each has a page, with its slug at the end of the address, and can be upvoted. */
export type EntryKind = "listing" | "skill";

const NAMES: Record<EntryKind, string> = { listing: "project", skill: "skill" };

/** What every record of an entry has. */
export interface StoredEntry {
  slug: string;
  state: "live" | "pending" | "hidden" | "withdrawn";
  /** The hash of its edit key. */
  keyHash: string;
}

/** The error for a slug that no live entry has; programs also send names and whole addresses. */
export function noEntry(kind: EntryKind): DomainError {
  const name = NAMES[kind];
  return new DomainError("not_found", undefined, {
    message: `There is no ${name} with this slug. The slug is the last part of its page's URL`,
    onPage: `We couldn't find that ${name}. Check the name or paste its link`,
  });
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
