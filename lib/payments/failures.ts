import type Stripe from "stripe";
import { DomainError } from "../errors.ts";
import { errorFields } from "../log.ts";

/**
 * What a failed call to Stripe means.
 *
 * - `unknown`: no usable response came. The call may have taken effect, and can be sent again with
 *   the same idempotency key.
 * - `saved`: Stripe failed (5xx), or something behind it such as a card network (424). The call may
 *   have taken effect, and Stripe repeats this response for the same idempotency key.
 * - `again`: Stripe did nothing for now: a rate limit, a concurrent request or an invalid key.
 * - `refused`: Stripe did nothing, and will not.
 */
export type FailureKind = "unknown" | "saved" | "again" | "refused";

/**
 * Whether an error comes from the Stripe client. It checks `type`, as Stripe's docs do, so a
 * service without a key need not load the client.
 */
export function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && "type" in error && String(error.type).startsWith("Stripe");
}

/** Rethrows any error that is not from the Stripe client. */
export function requireStripeError(error: unknown): asserts error is Stripe.errors.StripeError {
  if (!isStripeError(error)) throw error;
}

/** The kind of failure of a Stripe client error. Rethrows any other error. */
export function failureKind(error: unknown): FailureKind {
  requireStripeError(error);
  const status = error.statusCode;
  if (status === undefined) return "unknown";
  if (status >= 500 || status === 424) return "saved";
  // A wrong key is our mistake: it must not permanently end an auction or an order.
  if ([401, 403, 409, 429].includes(status)) return "again";
  return "refused";
}

/** Whether Stripe says that the object does not exist: 404, or 400 if a parameter names it. */
export function isMissing(error: unknown): boolean {
  return isStripeError(error) &&
    (error.statusCode === 404 || error.code === "resource_missing");
}

/** Whether Stripe is still processing a request with the same idempotency key. */
export function isConcurrent(error: unknown): boolean {
  return isStripeError(error) && error.statusCode === 409;
}

/** The part of a Stripe error that may be logged or stored: its codes, never its message. */
export function failureCode(error: unknown): string {
  if (!isStripeError(error)) return "not_stripe";
  return [error.type, error.statusCode, error.code].filter((part) => part !== undefined).join(" ");
}

/** The client's error after a failed Stripe call: our fixed message, nothing from Stripe. */
export function stripeFailed(cause: unknown): DomainError {
  return new DomainError("stripe_error", undefined, { cause });
}

/** The part of any error that may be logged: only the codes of a Stripe error. */
export function failureFields(error: unknown): Record<string, unknown> {
  return isStripeError(error) ? { error: failureCode(error) } : errorFields(error);
}
