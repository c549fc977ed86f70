/**
 * Receipts of submissions: a sender who lost the response can repeat the request with the same edit
 * key or `Idempotency-Key` and gets the same entry.
 */
import { rejectOtherRequest, REPEATABLE_MS } from "../http/idempotency.ts";
import type { Tx } from "../kv/store.ts";
import { sha256 } from "../text/digest.ts";
import type { EntryKind } from "./entries.ts";
import { receiptKey } from "./keys.ts";

/** The entry a request created. */
interface Receipt {
  slug: string;
  /** The digest of the request. */
  request: string;
  /** ms since the epoch. */
  expiresAt: number;
}

/** What identifies a repeated submission. */
interface Repeatable {
  /** Its receipts' keys: by header if there is one, and by edit key. */
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
  // Others may choose the same Idempotency-Key. Only the owner knows an edit key.
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
 * The slug of the entry created earlier by the same submission, or null. Throws `invalid_input` if
 * its `Idempotency-Key` was used for another one. An edit key can be used for several entries.
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

/** Writes a submission's receipts, in the transaction that creates its entry. */
export function writeReceipts(
  tx: Tx,
  { keys, request }: Repeatable,
  { slug, now }: { slug: string; now: number },
): void {
  const receipt: Receipt = { slug, request, expiresAt: now + REPEATABLE_MS };
  for (const key of keys) tx.set(key, receipt, { expireIn: REPEATABLE_MS });
}
