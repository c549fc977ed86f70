import { DomainError } from "../errors.ts";
import type { StoredVerified } from "./verified.ts";

/** The kinds of entries. Each has a page at an address ending in its slug, and can be upvoted. */
export type EntryKind = "listing" | "skill";

/** One entry, in any state. */
export interface EntryRef {
  kind: EntryKind;
  slug: string;
}

const NAMES: Record<EntryKind, string> = { listing: "project", skill: "skill" };

/** The fields of every entry's record. */
export interface StoredEntry {
  slug: string;
  /** Only live ones are public. */
  state: "live" | "pending" | "hidden" | "withdrawn";
  /** The day's pseudonym of the submitter's network (`daysNetwork`), only for the operator. */
  network?: string;
  /** The host that signed the submission. */
  signedBy?: string;
  /** SHA-256 of the edit key, base64url. */
  keyHash: string;
  /** What the holder of the edit key has proven to own. */
  verified?: StoredVerified;
  /** ms since the epoch. */
  createdAt: number;
  updatedAt: number;
}

/** The error for a slug with no live entry. Programs also send names and whole addresses. */
export function noEntry(kind: EntryKind): DomainError {
  const name = NAMES[kind];
  return new DomainError("not_found", undefined, {
    message: `No ${name} has this slug, the last part of its page's URL. Search by name to find it`,
    onPage: `We couldn't find that ${name}. Check the name or paste its link`,
  });
}

/** The error for something that an entry's state, URL or slug doesn't allow. */
export function refused(message: string): DomainError {
  return new DomainError("invalid_input", [{ field: "slug", message }]);
}

/** A live listing's or skill's record. Throws `not_found` for anything else. */
export function requireLive<T extends { state: string }>(
  { value }: { value: unknown },
  kind: EntryKind,
): T {
  const record = value as T | null;
  if (record?.state !== "live") throw noEntry(kind);
  return record;
}

/** The event to log for a live entry; `submitted`, which never shows, for any other. */
export function eventOf({ state }: Pick<StoredEntry, "state">, event: string): string {
  return state === "live" ? event : "submitted";
}

/** True if two records say the same. One from before a field existed lacks it, which means null. */
export function isSameRecord(one: object, other: object): boolean {
  const text = (record: object) => JSON.stringify(record, (_, value) => value ?? undefined);
  return text(one) === text(other);
}
