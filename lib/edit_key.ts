import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import { HOUR_MS } from "./clock.ts";
import { DomainError } from "./errors.ts";
import { checkLimit, rateLimitQueue, spend } from "./http/rate_limit.ts";
import type { Caller } from "./http/caller.ts";
import type { Store } from "./kv/store.ts";
import { sha256 } from "./text/digest.ts";

const PREFIX = "pik_";
const KEY_LENGTH = 47;

/** The notice in the one answer that shows an edit key. */
export const EDIT_KEY_NOTICE =
  "Keep this key: it is shown this once, only its hash is stored, and it cannot be recovered. " +
  "To edit, send it as X-Edit-Key, or for a project as editKey over MCP.";

/** A form of a new record with what it makes, so that sending it again makes nothing else. */
export interface Draft {
  /** The secret that the form carries. */
  draft: string | undefined;
  /** What can be there once: a URL, a content. */
  of: string;
}

/** For how long a form that is sent again is answered as the first time. */
const DRAFT_MS = HOUR_MS;

/** A secret for a form of a new record: 256 random bits in base64url. */
export function newDraft(): string {
  const bits = crypto.getRandomValues(new Uint8Array(32));
  return bits.toBase64({ alphabet: "base64url", omitPadding: true });
}

/**
 * Makes an edit key (`pik_` and 256 random bits in base64url) and the hash that is stored. A form
 * that carries a draft makes the same key each time that it is sent.
 */
export function createEditKey(
  { draft, of }: Draft = { draft: undefined, of: "" },
): { editKey: string; keyHash: string } {
  const isDraft = draft !== undefined && DRAFT_PATTERN.test(draft);
  const editKey = PREFIX + (isDraft ? sha256(`${draft} ${of}`) : newDraft());
  return { editKey, keyHash: sha256(editKey) };
}

const DRAFT_PATTERN = /^[\w-]{43}$/;

/**
 * Whether a record was made by this very form within the hour: someone clicked twice, reloaded the
 * answer, or sent the form again because the answer was lost on the way.
 */
export function isMadeBy(
  keyHash: string,
  made: { keyHash: string; createdAt: number; state: string },
  now: number,
): boolean {
  return timingSafeEqual(Buffer.from(keyHash), Buffer.from(made.keyHash)) &&
    now - made.createdAt < DRAFT_MS && made.state !== "hidden";
}

/** The edit key of a request: `X-Edit-Key`, or `Authorization: Bearer`; "" when there is none. */
export function requestEditKey(headers: Headers): string {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return headers.get("x-edit-key")?.trim() || bearer || "";
}

/**
 * Checks an edit key against a stored hash (null if nothing can be edited) in constant time. After
 * 20 wrong keys from one network within an hour even the right key is refused with `rate_limited`.
 * Throws `bad_edit_key`.
 */
export async function requireEditKey(
  store: Store,
  options: { editKey: string; keyHash: string | null; caller: Caller },
): Promise<void> {
  const { editKey, keyHash, caller } = options;
  const limit = { bucket: "badKeys", network: caller.network, now: store.clock.now() } as const;
  await store.transact((tx) => checkLimit(tx, limit));
  const given = Buffer.from(sha256(editKey.length === KEY_LENGTH ? editKey : ""));
  const expected = Buffer.from(keyHash ?? NO_HASH);
  if (timingSafeEqual(given, expected) && keyHash !== null) return;
  await store.transact((tx) => spend(tx, limit), {
    queue: rateLimitQueue("badKeys", caller.network),
  });
  throw new DomainError("bad_edit_key");
}

/** The hash that is compared when there is none, so that this takes no less time. */
const NO_HASH = sha256(PREFIX);
