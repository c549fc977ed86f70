import Stripe from "stripe";
import { DomainError } from "../errors.ts";
import { errorFields } from "../log.ts";

/**
 * What a failed call to Stripe tells.
 *
 * `unknown`: no usable answer came; it may have happened, and the same idempotency key may be sent
 * again. `saved`: an error 5xx, or 424 where what failed is behind Stripe, such as a card network;
 * Stripe repeats it for its idempotency key, and it may have happened.
 * `again`: Stripe did nothing for now (rate limit, a concurrent request, a key that is not valid).
 * `refused`: Stripe did nothing and will not.
 */
export type FailureKind = "unknown" | "saved" | "again" | "refused";

/** Which kind of failure an error of the Stripe client is. Rethrows what is no error of Stripe. */
export function failureKind(error: unknown): FailureKind {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const status = error.statusCode;
  if (status === undefined) return "unknown";
  if (status >= 500 || status === 424) return "saved";
  // A wrong key is our mistake: it must not end an auction or an order for good.
  if ([401, 403, 409, 429].includes(status)) return "again";
  return "refused";
}

/** Whether Stripe says that it has no such object: with 404, or 400 where a parameter names it. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError &&
    (error.statusCode === 404 || error.code === "resource_missing");
}

/** Whether Stripe is still at work on a request with the same idempotency key. */
export function isConcurrent(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 409;
}

/** What may be logged or stored of an error of the Stripe client: codes, never its message. */
export function failureCode(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeError)) return "not_stripe";
  return [error.type, error.statusCode, error.code].filter((part) => part !== undefined).join(" ");
}

/** The answer to a client whose request failed at Stripe: our fixed sentence, nothing of Stripe's. */
export function stripeFailed(cause: unknown): DomainError {
  return new DomainError("stripe_error", undefined, { cause });
}

/** What may be logged of any error: of Stripe's, the codes alone. */
export function failureFields(error: unknown): Record<string, unknown> {
  const isStripe = error instanceof Stripe.errors.StripeError;
  return isStripe ? { error: failureCode(error) } : errorFields(error);
}
