/** A client's `Idempotency-Key`: the same request under the same key leads to the same checkout. */
import { rejectOtherRequest, REPEATABLE_MS } from "../http/idempotency.ts";
import type { Tx } from "../kv/store.ts";
import { sha256 } from "../text/digest.ts";
import { paymentKeys } from "./keys.ts";
import type { Checkout, IdempotencyRecord } from "./schema.ts";

/** A request that can be repeated. */
export interface RepeatableRequest {
  kind: Checkout["kind"];
  network: string;
  /** The client's key; null where it sent none. */
  key: string | null;
  /** What the request asks for. */
  request: unknown;
  now: number;
}

/**
 * The checkout that an earlier request with this key made, or null. Throws `invalid_input` when the
 * key came with another request.
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
  // A link whose time is over cannot be paid, whether or not Stripe has told us: make a new one.
  const { status, expiresAt } = checkout.value;
  if (status === "expired" || (status === "open" && expiresAt <= options.now)) return null;
  if (value.request !== digest(options.request)) rejectOtherRequest();
  return checkout.value;
}

/** Whether a checkout has a link. One without may still be asked for. */
export function hasLink({ status, url }: Checkout): boolean {
  return status !== "failed" && url !== null;
}

/** Remembers which checkout a key made. */
export function rememberKey(tx: Tx, options: RepeatableRequest & { checkoutId: string }): void {
  if (options.key === null) return;
  const record: IdempotencyRecord = {
    checkoutId: options.checkoutId,
    request: digest(options.request),
    expiresAt: options.now + REPEATABLE_MS,
  };
  tx.set(recordKey(options, options.key), record, { expireIn: REPEATABLE_MS });
}

function recordKey(options: RepeatableRequest, key: string): Deno.KvKey {
  return paymentKeys.idempotency(options.kind, options.network, digest(key));
}

function digest(value: unknown): string {
  return sha256(JSON.stringify(value));
}
