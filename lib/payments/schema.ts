import { z } from "zod";
import type { Charge } from "./fees.ts";

/**
 * A Checkout session that we asked for, recorded before Stripe is called. Each kind adds its own
 * fields. Times are ms since the epoch.
 */
export interface Checkout extends Charge {
  id: string;
  /** What is paid for, by the name of its `PaymentKind`. */
  kind: string;
  slug: string;
  /**
   * `creating`: Stripe was or will be asked for a session. `open`: it can be paid. `completed`: it
   * was. `expired`: it no longer can be. `failed`: Stripe made none that anyone was given, or the
   * payment came to nothing.
   */
  status: "creating" | "open" | "completed" | "expired" | "failed";
  /** How often a session was asked for; part of the idempotency key. */
  attempt: number;
  /** Whether Stripe must be searched for a session of an earlier attempt before it is asked again. */
  lookUp: boolean;
  sessionId: string | null;
  url: string | null;
  createdAt: number;
  /**
   * When the session ends. It is part of the request to Stripe, so it stays the same within one
   * attempt.
   */
  expiresAt: number;
  /**
   * Whether somebody has paid by a method that confirms later. While the checkout is `open`, money
   * may be on its way.
   */
  isPaying?: boolean;
}

/** Which checkout a client's `Idempotency-Key` made. */
export interface IdempotencyRecord {
  checkoutId: string;
  /** Digest of the request, so that a reused key with another request is noticed. */
  request: string;
  expiresAt: number;
}

/** A call to Stripe that has to happen; each kind of task adds what it is about. */
export interface Task {
  kind: string;
}

/** An entry of the outbox. */
export interface Operation {
  /** Names the call; the idempotency key at Stripe is made from it. */
  id: string;
  task: Task;
  createdAt: number;
  /** Part of the idempotency key from the second on. */
  attempt: number;
  /** Failures so far. */
  failures: number;
  notBefore: number;
  /** The kind of the last failure, never Stripe's own text. */
  lastError: string | null;
  /** When it was given up, until an operator has it tried again; absent while it is repeated. */
  givenUpAt?: number;
}

/** An operation that Stripe has confirmed. */
export interface DoneOperation {
  doneAt: number;
}

/** Something that an operator should look at. */
export interface Alert {
  at: number;
  what: string;
  details: Record<string, string | number | null>;
}

/** A payment that does not match its order. */
export interface Doubt {
  /** What is looked at: the checkout, or the invoice of a renewal. */
  id: string;
  /** Stripe's id of what does not match. */
  object: string;
  checkoutId: string;
  slug: string;
  /** Since when, ms. */
  at: number;
}

/** The answer that carries a checkout link. */
export const CheckoutBody = z.object({
  ok: z.literal(true),
  checkoutUrl: z.url().describe("A human pays here, at the payment provider"),
}).meta({ id: "CheckoutLink" });

/** An answer of that body, for the API's document. */
export const CHECKOUT_EXAMPLE = {
  ok: true,
  checkoutUrl: "https://checkout.stripe.com/c/pay/cs_live_a1b2c3",
};
