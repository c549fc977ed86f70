import { Billing, find, missing } from "./billing.ts";
import type { CancellationReason, Charge, PaymentIntent, Session } from "./objects.ts";
import { parseSession } from "./session_params.ts";
import { ApiError, type Params } from "./wire.ts";

/** How long (s) a card hold lasts at Stripe. */
const HOLD_SECONDS = 7 * 86_400;

/** What a human does on the hosted page. */
interface Payment {
  /** The card is declined; the session stays open. */
  declined?: boolean;
  /**
   * A delayed payment method: see `settle`. Meanwhile the provider is processing it, or waiting for
   * the payer to send a bank transfer or verify the account.
   */
  delayed?: boolean | "processing" | "requires_action";
  email?: string;
}

/** The account's state, its transitions and the events they emit. */
export class Ledger extends Billing {
  createSession(params: Params): Session {
    const wanted = parseSession(params, this.now);
    if (wanted.customer !== null && !this.customers.has(wanted.customer)) {
      throw missing("customer", wanted.customer);
    }
    const id = this.id("cs_test");
    const total = wanted.lines.reduce((sum, line) => sum + line.amount * line.quantity, 0);
    const session: Session = {
      id,
      object: "checkout.session",
      adaptive_pricing: { enabled: (params.adaptive_pricing as Params)?.enabled === "true" },
      allowed_payment_method_types: (params.allowed_payment_method_types as string[] | undefined) ??
        null,
      amount_subtotal: total,
      amount_total: total,
      cancel_url: (params.cancel_url as string) ?? null,
      client_reference_id: (params.client_reference_id as string) ?? null,
      created: this.now,
      currency: wanted.currency,
      custom_text: (params.custom_text as Session["custom_text"] | undefined) ?? { submit: null },
      customer: wanted.customer,
      customer_creation: wanted.mode === "payment"
        ? (params.customer_creation as Session["customer_creation"] | undefined) ?? "if_required"
        : "always",
      customer_details: null,
      expires_at: wanted.expiresAt,
      invoice: null,
      livemode: this.livemode,
      metadata: wanted.metadata,
      mode: wanted.mode,
      payment_intent: null,
      payment_method_types: wanted.methods,
      payment_status: "unpaid",
      status: "open",
      submit_type: (params.submit_type as Session["submit_type"] | undefined) ?? null,
      subscription: null,
      success_url: params.success_url as string,
      ui_mode: "hosted_page",
      url: `https://checkout.stripe.com/c/pay/${id}`,
    };
    this.sessions.set(id, session);
    this.secrets.set(id, {
      lines: wanted.lines,
      captureMethod: wanted.captureMethod,
      intentMetadata: wanted.intentMetadata,
      subscriptionMetadata: wanted.subscriptionMetadata,
    });
    return session;
  }

  expireSession(id: string): Session {
    const session = find(this.sessions, id, "checkout.session");
    if (session.status !== "open") {
      throw new ApiError(
        400,
        "invalid_request_error",
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      );
    }
    session.status = "expired";
    session.url = null;
    const intent = this.intents.get(session.payment_intent ?? "");
    if (intent?.status === "requires_payment_method") this.#cancel(intent, "automatic");
    this.emit("checkout.session.expired", session);
    return session;
  }

  /** Pays on the hosted page; false if it can no longer be paid or the card was declined. */
  pay(sessionId: string, payment: Payment = {}): boolean {
    const session = find(this.sessions, sessionId, "checkout.session");
    if (session.status !== "open" || this.now >= session.expires_at) return false;
    if (payment.declined) {
      // The first attempt creates the session's intent; later ones reuse it.
      if (session.mode === "payment") {
        this.emit("payment_intent.payment_failed", this.#intentOf(session));
      }
      return false;
    }
    const email = payment.email ?? `payer-${sessionId}@example.com`;
    session.customer_details = { email };
    if (session.customer === null && session.customer_creation === "always") {
      session.customer = this.createCustomer(email).id;
    }
    session.status = "complete";
    session.url = null;
    if (session.mode === "subscription") this.startSubscription(session, Boolean(payment.delayed));
    else this.#payOnce(session, payment.delayed === true ? "processing" : payment.delayed || null);
    this.emit("checkout.session.completed", session);
    return true;
  }

  /** A session's intent, created when a human first tries to pay. */
  #intentOf(session: Session): PaymentIntent {
    const known = this.intents.get(session.payment_intent ?? "");
    if (known !== undefined) return known;
    const { captureMethod, intentMetadata } = this.secrets.get(session.id)!;
    const intent: PaymentIntent = {
      id: this.id("pi"),
      object: "payment_intent",
      amount: session.amount_total,
      amount_capturable: 0,
      amount_received: 0,
      canceled_at: null,
      cancellation_reason: null,
      capture_method: captureMethod,
      created: this.now,
      currency: session.currency,
      customer: session.customer,
      latest_charge: null,
      livemode: this.livemode,
      metadata: { ...intentMetadata },
      payment_method_types: session.payment_method_types,
      status: "requires_payment_method",
    };
    this.intents.set(intent.id, intent);
    session.payment_intent = intent.id;
    this.emit("payment_intent.created", intent);
    return intent;
  }

  #payOnce(session: Session, delayed: "processing" | "requires_action" | null): void {
    const intent = this.#intentOf(session);
    const manual = intent.capture_method === "manual";
    intent.customer = session.customer;
    intent.status = delayed ?? "processing";
    if (delayed !== null) return;
    this.#charge(intent, manual);
    if (manual) {
      intent.status = "requires_capture";
      intent.amount_capturable = intent.amount;
      this.emit("payment_intent.amount_capturable_updated", intent);
    } else {
      intent.status = "succeeded";
      intent.amount_received = intent.amount;
      session.payment_status = "paid";
      this.emit("payment_intent.succeeded", intent);
    }
  }

  #charge(intent: PaymentIntent, manual: boolean): void {
    const charge: Charge = {
      id: this.id("ch"),
      object: "charge",
      amount: intent.amount,
      captured: !manual,
      created: this.now,
      payment_intent: intent.id,
      payment_method_details: {
        type: "card",
        card: {
          brand: "visa",
          last4: "4242",
          ...(manual ? { capture_before: this.now + HOLD_SECONDS } : {}),
        },
      },
      status: "succeeded",
    };
    this.charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
  }

  /** A completed session's delayed payment succeeds or fails. */
  settle(sessionId: string, succeeds: boolean): void {
    const session = find(this.sessions, sessionId, "checkout.session");
    if (session.mode === "subscription") return this.settleFirst(session, succeeds);
    const intent = this.intents.get(session.payment_intent!)!;
    if (intent.status !== "processing" && intent.status !== "requires_action") return;
    if (succeeds) {
      this.#charge(intent, false);
      intent.status = "succeeded";
      intent.amount_received = intent.amount;
      session.payment_status = "paid";
      this.emit("payment_intent.succeeded", intent);
      this.emit("checkout.session.async_payment_succeeded", session);
    } else {
      intent.status = "requires_payment_method";
      this.emit("checkout.session.async_payment_failed", session);
    }
  }

  cancelIntent(id: string, reason: CancellationReason | null): PaymentIntent {
    const intent = find(this.intents, id, "payment_intent");
    if (intent.status !== "requires_capture") throw unexpectedState("cancel", intent);
    this.#cancel(intent, reason);
    return intent;
  }

  #cancel(intent: PaymentIntent, reason: CancellationReason | null): void {
    intent.status = "canceled";
    intent.amount_capturable = 0;
    intent.canceled_at = this.now;
    intent.cancellation_reason = reason;
    this.emit("payment_intent.canceled", intent);
  }

  captureIntent(id: string, amount: number | null): PaymentIntent {
    const intent = find(this.intents, id, "payment_intent");
    if (intent.status !== "requires_capture") throw unexpectedState("capture", intent);
    if (amount !== null && amount > intent.amount_capturable) {
      throw new ApiError(400, "invalid_request_error", "The amount to capture is too large", {
        code: "amount_too_large",
      });
    }
    intent.amount_received = amount ?? intent.amount;
    intent.amount_capturable = 0;
    intent.status = "succeeded";
    this.charges.get(intent.latest_charge as string)!.captured = true;
    for (const session of this.sessions.values()) {
      if (session.payment_intent === id) session.payment_status = "paid";
    }
    this.emit("payment_intent.succeeded", intent);
    return intent;
  }

  /** What Stripe does on its own as time passes: sessions expire, uncaptured holds lapse. */
  passTime(): void {
    for (const session of this.sessions.values()) {
      if (session.status === "open" && this.now >= session.expires_at) {
        this.expireSession(session.id);
      }
    }
    for (const intent of this.intents.values()) {
      const charge = this.charges.get(intent.latest_charge as string);
      const before = charge?.payment_method_details?.card?.capture_before;
      if (intent.status === "requires_capture" && before !== undefined && this.now >= before) {
        this.cancelIntent(intent.id, "automatic");
      }
    }
  }
}

function unexpectedState(action: "cancel" | "capture", intent: PaymentIntent): ApiError {
  const message = action === "cancel"
    ? `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`
    : `This PaymentIntent could not be captured because it has a status of ${intent.status}.`;
  return new ApiError(400, "invalid_request_error", message, {
    code: "payment_intent_unexpected_state",
    payment_intent: structuredClone(intent),
  });
}
