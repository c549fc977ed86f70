/** A client's `Idempotency-Key`: the same request with the same key returns the same checkout. */
import { rejectOtherRequest, REPEATABLE_MS } from "../http/idempotency.ts";
import type { Tx } from "../kv/store.ts";
import { sha256 } from "../text/digest.ts";
import { paymentKeys } from "./keys.ts";
import type { Checkout, IdempotencyRecord } from "./schema.ts";

/** A repeatable request. */
interface RepeatableRequest {
  kind: Checkout["kind"];
  network: string;
  /** The client's key; null if it sent none. */
  key: string | null;
  /** The content of the request. */
  request: unknown;
  now: number;
}

/**
 * The checkout from an earlier request with this key, or null. Throws `invalid_input` if the key
 * was used with a different request.
 */
export async function repeatedCheckout(
  tx: Tx,
  options: RepeatableRequest,
): Promise<Checkout | null> {
  if (options.key === null) return null;
  const { value } = await tx.get<IdempotencyRecord>(recordKey(options, options.key));
  if (value === null || value.expiresAt <= options.now) return null;
  const checkout = await tx.peek<Checkout>(paymentKeys.checkout(value.checkoutId));
  if (checkout.value === null) return null;
  // An expired link cannot be paid, whether or not Stripe has told us: make a new one.
  const { status, expiresAt } = checkout.value;
  if (status === "expired" || (status === "open" && expiresAt <= options.now)) return null;
  if (value.request !== digest(options.request)) rejectOtherRequest();
  return checkout.value;
}

/** Whether a checkout has a link. If not, one can still be requested. */
export function hasLink({ status, url }: Checkout): boolean {
  return status !== "failed" && url !== null;
}

/** Remembers which checkout a key created. */
export function rememberKey(tx: Tx, options: RepeatableRequest & { checkoutId: string }): void {
  if (options.key === null) return;
  const record: IdempotencyRecord = {
    checkoutId: options.checkoutId,
    request: digest(options.request),
    expiresAt: options.now + REPEATABLE_MS,
  };
  tx.setExpiring(recordKey(options, options.key), record);
}

function recordKey(options: RepeatableRequest, key: string): Deno.KvKey {
  return paymentKeys.idempotency(options.kind, options.network, digest(key));
}

function digest(value: unknown): string {
  return sha256(JSON.stringify(value));
}
