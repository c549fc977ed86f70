import { z } from "zod";
import type { TierId } from "../catalog/tiers.ts";
import { Slug } from "../fields.ts";
import type { Charge } from "./fees.ts";

/** The fields that both kinds of checkout have. Times are ms since the epoch. */
interface CheckoutBase extends Charge {
  id: string;
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

/** An order of a promotion tier. */
export interface PromotionCheckout extends CheckoutBase {
  kind: "promotion";
  tierId: TierId;
  autoRenew: boolean;
}

/** A bid, from the link to its end. */
export interface BidCheckout extends CheckoutBase {
  kind: "bid";
  auctionId: string;
  /** The listing's name when the bid was made. */
  name: string;
  agentName: string | null;
  /**
   * `pending`: no hold is confirmed. `high` leads; `outbid` led; `lapsed` came too late or too low;
   * `won` was captured; `capture-failed` led at the close and could not be captured.
   */
  state: "pending" | "high" | "outbid" | "lapsed" | "won" | "capture-failed";
  /** The card hold: Stripe's payment intent and until when it can be captured. */
  intentId: string | null;
  captureBefore: number | null;
  hold: "none" | "held" | "released" | "captured";
}

/** A Checkout session that we asked for, recorded before Stripe is called. */
export type Checkout = PromotionCheckout | BidCheckout;

/** Which checkout a client's `Idempotency-Key` made. */
export interface IdempotencyRecord {
  checkoutId: string;
  /** Digest of the request, so that a reused key with another request is noticed. */
  request: string;
  expiresAt: number;
}

/** A call to Stripe that has to happen; see `operations.ts`. */
export type OperationTask =
  | { kind: "release"; intentId: string; bidId: string }
  | { kind: "capture"; auctionId: string; bidId: string; intentId: string }
  | { kind: "expire_session"; sessionId: string; checkoutId: string }
  | { kind: "cancel_subscription"; subscriptionId: string }
  | { kind: "sweep_bids"; auctionId: string };

/** An entry of the outbox. */
export interface Operation {
  /** Names the call; the idempotency key at Stripe is made from it. */
  id: string;
  task: OperationTask;
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

/** Days granted for one paid session or invoice. */
export interface Grant {
  checkoutId: string;
  slug: string;
  tierId: TierId;
  days: number;
  at: number;
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

/** The Stripe customer of the latest payment for a listing. */
export interface BillingAccount {
  customerId: string;
  at: number;
}

/** `{slug}` of a billing portal request. */
export const PortalInput = z.object({ slug: Slug })
  .meta({ id: "BillingPortalInput" });

/** The answer to a billing portal request. */
export const PortalBody = z.object({ ok: z.literal(true), portalUrl: z.url() })
  .meta({ id: "BillingPortal" });

/** The answer that carries a checkout link. */
export const CheckoutBody = z.object({
  ok: z.literal(true),
  checkoutUrl: z.url().describe("To be paid by a human at the payment provider"),
}).meta({ id: "CheckoutLink" });

/** An answer of that body, for the API's document. */
export const CHECKOUT_EXAMPLE = {
  ok: true,
  checkoutUrl: "https://checkout.stripe.com/c/pay/cs_live_a1b2c3",
};
