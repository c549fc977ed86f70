/** Checkout records. */
import { DomainError } from "../errors.ts";
import type { Tx } from "../kv/store.ts";
import type { Deps } from "./deps.ts";
import { paymentKeys } from "./keys.ts";
import type { Checkout } from "./schema.ts";

/**
 * The fields of a new checkout at `now` (ms) whose link will live for `linkMs`. The call to Stripe
 * comes later.
 */
export function newCheckout(now: number, linkMs: number) {
  return {
    status: "creating",
    attempt: 1,
    lookUp: false,
    sessionId: null,
    url: null,
    createdAt: now,
    expiresAt: now + linkMs,
  } as const;
}

const ALPHABET = "abcdefghjkmnpqrstvwxyz0123456789";

/** A new checkout id: a prefix for its kind and 100 random bits. */
export function createCheckoutId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return `${prefix}_${Array.from(bytes, (byte) => ALPHABET[byte % 32]).join("")}`;
}

/** Writes a checkout and updates the index of payable ones. */
export function writeCheckout<C extends Checkout>(tx: Tx, checkout: C): void {
  tx.set(paymentKeys.checkout(checkout.id), checkout);
  const open = paymentKeys.openCheckout(checkout.id);
  if (checkout.status === "creating" || checkout.status === "open") tx.set(open, true);
  else tx.delete(open);
}

/** Records that a session expired unpaid. */
export async function noteSessionExpired(
  tx: Tx,
  { checkoutId, sessionId }: { checkoutId: string; sessionId: string },
): Promise<void> {
  const { value } = await tx.get<Checkout>(paymentKeys.checkout(checkoutId));
  if (value === null || value.sessionId !== sessionId || value.status !== "open") return;
  writeCheckout(tx, { ...value, status: "expired" });
}

/** A stored checkout. Throws `not_found`. */
export async function getCheckout<C extends Checkout>(deps: Deps, id: string): Promise<C> {
  const { value } = await deps.store.get<C>(paymentKeys.checkout(id));
  if (value === null) throw new DomainError("not_found");
  return value;
}
