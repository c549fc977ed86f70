import type Stripe from "stripe";
import { DAY_MS } from "../clock.ts";
import type { Tx } from "../kv/store.ts";
import type { StripeDeps } from "./deps.ts";
import { isMissing, requireStripeError, stripeFailed } from "./failures.ts";
import { paymentKeys } from "./keys.ts";
import { checkoutIdOf } from "./kinds.ts";
import type { Checkout } from "./schema.ts";

const EVENT_TTL_MS = 40 * DAY_MS;

/** The event that led to an object; null in the reconciliation of objects. */
export type Cause =
  | Pick<Stripe.Event, "id" | "type"> & {
    /** When Stripe made it (s), if Stripe was asked for it: what a webhook says is not believed. */
    listedAs?: number;
  }
  | null;

/**
 * A time (ms) that has certainly passed when a payment is applied, as near to it as Stripe was asked:
 * when the object was made or paid, or the event of that.
 */
export function paidSince(seconds: number, cause: Cause): number {
  return Math.max(seconds, cause?.listedAs ?? 0) * 1000;
}

/** Notes an event in the transaction of its effect; false if it has had its effect before. */
export async function markSeen(tx: Tx, cause: Cause): Promise<boolean> {
  if (cause === null) return true;
  const key = paymentKeys.event(cause.id);
  if ((await tx.get(key)).value !== null) return false;
  tx.set(key, { type: cause.type, at: tx.store.clock.now() }, { expireIn: EVENT_TTL_MS });
  return true;
}

/**
 * The checkout that an object's metadata names; null if the object is not ours, or not of the kind that
 * is asked for.
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
 * The object as it is now, or null if Stripe has none. Throws `stripe_error`, so that Stripe sends
 * the event again.
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

/** The id of an object that Stripe gives as such or whole. */
export function idOf(reference: string | { id: string }): string {
  return typeof reference === "string" ? reference : reference.id;
}
