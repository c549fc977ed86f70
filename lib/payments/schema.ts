import { z } from "zod";
import { IgnoredFields } from "../openapi/shapes.ts";
import type { Charge } from "./fees.ts";

/**
 * A Checkout session that we requested, recorded before Stripe is called. Each kind adds its own
 * fields. Times are ms since the epoch.
 */
export interface Checkout extends Charge {
  id: string;
  /** What is being paid for, by the name of its `PaymentKind`. */
  kind: string;
  slug: string;
  /**
   * `creating`: Stripe was or will be asked for a session. `open`: it can be paid, or a payment is on
   * its way. `completed`: it was paid, its money is held, or its renewal began. `expired`: it can no
   * longer be paid. `failed`: Stripe created none that anyone received, or the payment failed.
   */
  status: "creating" | "open" | "completed" | "expired" | "failed";
  /** How many times a session was requested; part of the idempotency key. */
  attempt: number;
  /** Whether to search Stripe for a session of an earlier attempt before requesting another. */
  lookUp: boolean;
  sessionId: string | null;
  url: string | null;
  createdAt: number;
  /**
   * When the session ends. It is part of the request to Stripe, so it stays the same within an
   * attempt.
   */
  expiresAt: number;
  /**
   * Whether somebody paid by a method that confirms later. While the checkout is `open`, money may
   * be on its way.
   */
  isPaying?: boolean;
}

/** The checkout created for a client's `Idempotency-Key`. */
export interface IdempotencyRecord {
  checkoutId: string;
  /** Digest of the request, to detect a key reused with another request. */
  request: string;
  expiresAt: number;
}

/** A call to Stripe that must happen; each kind of task adds its own data. */
export interface Task {
  kind: string;
}

/** An outbox entry. */
export interface Operation {
  /** Names the call; the idempotency key at Stripe is made from it. */
  id: string;
  task: Task;
  createdAt: number;
  /** Part of the idempotency key from the second attempt on. */
  attempt: number;
  /** Failures so far. */
  failures: number;
  notBefore: number;
  /** The kind of the last failure, never Stripe's own text. */
  lastError: string | null;
  /** When it was given up, until an operator retries it; absent while it is being retried. */
  givenUpAt?: number;
}

/** Something for the operator to look at. */
export interface Alert {
  at: number;
  what: string;
  details: Record<string, string | number | null>;
}

/** A payment that does not match its order. */
export interface Doubt {
  /** What to check: the checkout, or a renewal's invoice. */
  id: string;
  /** Stripe's id of the mismatched object. */
  object: string;
  checkoutId: string;
  slug: string;
  /** When it was first seen (ms). */
  at: number;
}

/** The response with a checkout link. */
export const CheckoutBody = z.object({
  ok: z.literal(true),
  checkoutUrl: z.url().describe("A human pays here, at the payment provider"),
  ignoredFields: IgnoredFields,
}).meta({ id: "CheckoutLink" });

/** An example of that response, for the API docs. */
export const CHECKOUT_EXAMPLE = {
  ok: true,
  checkoutUrl: "https://checkout.stripe.com/c/pay/cs_live_a1b2c3",
};
