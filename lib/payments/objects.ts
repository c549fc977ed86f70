import type Stripe from "stripe";
import type { Tx } from "../kv/store.ts";
import type { StripeDeps } from "./deps.ts";
import { isMissing, requireStripeError, stripeFailed } from "./failures.ts";
import { paymentKeys } from "./keys.ts";
import { checkoutIdOf } from "./kinds.ts";
import type { Checkout } from "./schema.ts";

/** The event that led to an object; null if reconciliation found it. */
export type Cause =
  | Pick<Stripe.Event, "id" | "type"> & {
    /**
     * When Stripe created the event (s), if Stripe itself listed it: a webhook's date is not
     * trusted.
     */
    listedAs?: number;
  }
  | null;

/**
 * The earliest that it can be now (ms), according to Stripe: when the object or its event was
 * created, or the object was paid.
 */
export function paidSince(seconds: number, cause: Cause): number {
  return Math.max(seconds, cause?.listedAs ?? 0) * 1000;
}

/** Marks an event as seen in the transaction of its effect; false if it was seen before. */
export async function markSeen(tx: Tx, cause: Cause): Promise<boolean> {
  if (cause === null) return true;
  const key = paymentKeys.event(cause.id);
  if ((await tx.get(key)).value !== null) return false;
  tx.setExpiring(key, { type: cause.type, at: tx.store.clock.now() });
  return true;
}

/**
 * The checkout named in an object's metadata; null if the object is not ours or of another kind.
 */
export async function findCheckout<C extends Checkout>(
  deps: StripeDeps,
  metadata: Stripe.Metadata | null,
  kind?: C["kind"],
): Promise<C | null> {
  const id = checkoutIdOf(deps, metadata);
  if (id === null) return null;
  const { value } = await deps.store.get<C>(paymentKeys.checkout(id));
  return kind === undefined || value?.kind === kind ? value : null;
}

/**
 * The object's current state, or null if Stripe has none. Throws `stripe_error`, which makes Stripe
 * send the event again.
 */
export async function fetchObject<T>(retrieve: () => Promise<T>): Promise<T | null> {
  try {
    return await retrieve();
  } catch (error) {
    requireStripeError(error);
    if (isMissing(error)) return null;
    throw stripeFailed(error);
  }
}

/** The id of an object that Stripe sends expanded or as an id alone. */
export function idOf(reference: string | { id: string }): string {
  return typeof reference === "string" ? reference : reference.id;
}
