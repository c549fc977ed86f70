/**
 * Receipts of submissions: a sender whose answer was lost sends the same request again, under the
 * edit key or the `Idempotency-Key` that it brought, and gets the same entry.
 */
import { rejectOtherRequest, REPEATABLE_MS } from "../http/idempotency.ts";
import type { Tx } from "../kv/store.ts";
import { sha256 } from "../text/digest.ts";
import type { EntryKind } from "./entries.ts";
import { receiptKey } from "./keys.ts";

/** Which entry a request has made. */
export interface Receipt {
  slug: string;
  /** The digest of the request. */
  request: string;
  /** ms since the epoch. */
  expiresAt: number;
}

/** A submission as it is recognized when it comes again. */
export interface Repeatable {
  /** The keys of its receipts: under the header if there is one, and under the edit key. */
  keys: Deno.KvKey[];
  request: string;
  hasHeader: boolean;
}

/** What identifies a submission. */
export function repeatable(
  { kind, input, network, idempotencyKey }: {
    kind: EntryKind;
    input: { editKey: string | null };
    network: string;
    idempotencyKey: string | null;
  },
): Repeatable {
  // An Idempotency-Key may be a word that others choose, too. An edit key is known to its owner alone.
  const scopes = [[network, idempotencyKey], ["", input.editKey]] as const;
  return {
    keys: scopes.flatMap(([scope, key]) =>
      key === null ? [] : [receiptKey(kind, scope, sha256(key))]
    ),
    request: sha256(JSON.stringify(input)),
    hasHeader: idempotencyKey !== null,
  };
}

/**
 * The slug of the entry that the same submission made before, or null. Throws `invalid_input` if its
 * `Idempotency-Key` came with another one. An edit key may be brought for several entries.
 */
export function repeatedSlug(
  { request, hasHeader }: Repeatable,
  receipts: readonly Deno.KvEntryMaybe<unknown>[],
  now: number,
): string | null {
  for (const [i, { value }] of receipts.entries()) {
    const receipt = value as Receipt | null;
    if (receipt === null || receipt.expiresAt <= now) continue;
    if (receipt.request === request) return receipt.slug;
    if (hasHeader && i === 0) rejectOtherRequest();
  }
  return null;
}

/** Writes the receipts of a submission, in the transaction that makes its entry. */
export function writeReceipts(
  tx: Tx,
  { keys, request }: Repeatable,
  { slug, now }: { slug: string; now: number },
): void {
  const receipt: Receipt = { slug, request, expiresAt: now + REPEATABLE_MS };
  for (const key of keys) tx.set(key, receipt, { expireIn: REPEATABLE_MS });
}
