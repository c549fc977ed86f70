import { Buffer } from "node:buffer";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { DomainError } from "../errors.ts";
import { optional } from "../fields.ts";
import type { Caller } from "../http/caller.ts";
import { checkLimit, rateLimitQueue, spend } from "../http/rate_limit.ts";
import type { Asked } from "../http/state.ts";
import type { Store } from "../kv/store.ts";
import { sha256 } from "../text/digest.ts";
import { type EntryKind, noEntry, type StoredEntry } from "./entries.ts";
import { entryKey } from "./keys.ts";

const KEY_LENGTH = 47;

/** Where to send an edit key in a request that changes something. */
const WHERE_KEY_GOES = "send it in the X-Edit-Key header, or over MCP as editKey (projects only)";

/** The advice about edit keys for everyone. */
export const KEEP_KEY_NOTICE =
  "Save this key now. It is shown only once, and nobody can recover it.";

/** The notice in the only response that shows an edit key. */
export const EDIT_KEY_NOTICE = `${KEEP_KEY_NOTICE} To edit, ${WHERE_KEY_GOES}.`;

/** The notice in the response to a repeated submission, without a key. */
export const REPEATED_NOTICE =
  "You already sent this request, so nothing was added. The edit key was in the first response.";

/** An edit key chosen by the submitter, or null. */
export const OwnEditKey = optional(
  z.string().regex(
    /^pik_[A-Za-z0-9_-]{43}$/,
    "Must be pik_ and 43 characters (32 random bytes in base64url)",
  ),
).describe(
  "Your own random edit key, so retries are safe",
);

/**
 * An edit key, the owner's own or a new one (`pik_` and 256 random bits in base64url), and the hash
 * to store.
 */
export function createEditKey(own: string | null = null): { editKey: string; keyHash: string } {
  const editKey = own ?? `pik_${randomBytes(32).toString("base64url")}`;
  return { editKey, keyHash: sha256(editKey) };
}

/** True if two hashes are of the same edit key, in constant time. A withdrawn entry's is empty. */
export function isSameKey(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** The error for a request without the edit key that it needs. */
export function noEditKey(): DomainError {
  return new DomainError("bad_edit_key", undefined, {
    message: `The edit key is missing: ${WHERE_KEY_GOES}`,
    onPage: "Enter the edit key",
  });
}

/** What an entry's owner sends with every request. */
export interface OwnerRequest {
  slug: string;
  editKey: string;
  caller: Caller;
}

/**
 * What an entry's owner sends to its address in the API. The key is in `X-Edit-Key` or
 * `Authorization: Bearer`; "" if there is none.
 */
export function ownerRequest({ req: { headers }, params, state }: Asked<unknown>): OwnerRequest {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  const editKey = headers.get("x-edit-key")?.trim() || bearer || "";
  return { slug: params.slug!, editKey, caller: state.caller };
}

/** An owner's change of an entry. */
export interface Edit<Patch> extends OwnerRequest {
  /**
   * Reads the changed fields. Only called with the right edit key, so callers without it learn
   * nothing about the fields.
   */
  readPatch: () => Patch | Promise<Patch>;
  /** Called before anything is changed, with the time (ms) of the last change. */
  requireCurrent?: (updatedAt: number) => void;
}

/**
 * Checks the edit key of a listing or skill, in constant time. Throws `not_found` if it doesn't
 * exist or was withdrawn, otherwise `bad_edit_key`. A hidden entry refuses the right key too. After
 * 20 wrong keys from one network within an hour, even the right key gets `rate_limited`. A missing
 * key, or the right key of a hidden entry, doesn't count as a guess.
 */
export async function requireEntryKey(
  store: Store,
  kind: EntryKind,
  { slug, editKey, caller }: OwnerRequest,
): Promise<void> {
  const { value } = await store.get<StoredEntry>(entryKey(kind, slug));
  if (value === null || value.state === "withdrawn") throw noEntry(kind);
  if (editKey === "") throw noEditKey();
  const limit = { bucket: "badKeys", network: caller.network, now: store.clock.now() } as const;
  await store.transact((tx) => checkLimit(tx, limit));
  const isRight = isSameKey(sha256(editKey.length === KEY_LENGTH ? editKey : ""), value.keyHash);
  if (isRight && value.state !== "hidden") return;
  if (!isRight) {
    await store.transact((tx) => spend(tx, limit), {
      queue: rateLimitQueue("badKeys", caller.network),
    });
  }
  throw new DomainError("bad_edit_key");
}
