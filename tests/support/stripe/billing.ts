import {
  type Charge,
  type Customer,
  type Invoice,
  type LineItem,
  type PaymentIntent,
  periodEnd,
  type Session,
  type SessionSecrets,
  type StripeEvent,
  type Subscription,
} from "./objects.ts";
import { ApiError } from "./wire.ts";

/** The account's objects, its events, customers, subscriptions and invoices. */
export class Billing {
  readonly sessions = new Map<string, Session>();
  readonly secrets = new Map<string, SessionSecrets>();
  readonly intents = new Map<string, PaymentIntent>();
  readonly charges = new Map<string, Charge>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices = new Map<string, Invoice>();
  readonly customers = new Map<string, Customer>();
  readonly events: StripeEvent[] = [];
  /** The line items that a subscription bills. */
  readonly #plans = new Map<string, LineItem[]>();
  #ids = 0;

  constructor(
    readonly nowMs: () => number,
    readonly apiVersion: string,
    readonly livemode = false,
  ) {}

  get now(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  id(prefix: string): string {
    return `${prefix}_${(++this.#ids).toString().padStart(8, "0")}`;
  }

  emit(type: string, object: object): void {
    this.events.push({
      id: this.id("evt"),
      object: "event",
      api_version: this.apiVersion,
      created: this.now,
      data: { object: structuredClone(object) as Record<string, unknown> },
      livemode: this.livemode,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    });
  }

  createCustomer(email: string | null): Customer {
    const customer: Customer = {
      id: this.id("cus"),
      object: "customer",
      created: this.now,
      email,
      livemode: this.livemode,
      metadata: {},
    };
    this.customers.set(customer.id, customer);
    return customer;
  }

  /**
   * Starts what a session was for. A delayed first payment succeeds or fails later: `settleFirst`.
   */
  startSubscription(session: Session, isDelayed: boolean): void {
    const { lines, subscriptionMetadata } = this.secrets.get(session.id)!;
    const start = this.now;
    const end = periodEnd(start, lines[0]!.interval);
    const subscription: Subscription = {
      id: this.id("sub"),
      object: "subscription",
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      created: start,
      currency: session.currency,
      customer: session.customer!,
      ended_at: null,
      items: {
        object: "list",
        data: lines.map(() => ({
          id: this.id("si"),
          object: "subscription_item",
          current_period_start: start,
          current_period_end: end,
        })),
      },
      latest_invoice: "",
      livemode: this.livemode,
      metadata: { ...subscriptionMetadata },
      status: "active",
    };
    this.subscriptions.set(subscription.id, subscription);
    this.#plans.set(subscription.id, lines);
    session.subscription = subscription.id;
    if (!isDelayed) session.payment_status = "paid";
    this.emit("customer.subscription.created", subscription);
    const payment = isDelayed ? "delayed" : "paid";
    session.invoice = this.#bill(subscription, "subscription_create", payment).id;
  }

  /** A subscription's delayed first payment succeeds or fails. */
  settleFirst(session: Session, succeeds: boolean): void {
    const invoice = find(this.invoices, session.invoice!, "invoice");
    const subscription = find(this.subscriptions, session.subscription!, "subscription");
    if (invoice.status === "paid") return;
    if (succeeds) {
      this.collect(invoice.id);
      session.payment_status = "paid";
      this.emit("checkout.session.async_payment_succeeded", session);
    } else if (subscription.status === "active") {
      subscription.status = "past_due";
      this.emit("invoice.payment_failed", invoice);
      this.emit("customer.subscription.updated", subscription);
      this.emit("checkout.session.async_payment_failed", session);
    }
  }

  #bill(
    subscription: Subscription,
    reason: Invoice["billing_reason"],
    payment: "paid" | "failed" | "delayed",
  ): Invoice {
    const paid = payment === "paid";
    const plan = this.#plans.get(subscription.id)!;
    const total = plan.reduce((sum, line) => sum + line.amount * line.quantity, 0);
    const { current_period_start, current_period_end } = subscription.items.data[0]!;
    const id = this.id("in");
    const invoice: Invoice = {
      id,
      object: "invoice",
      amount_due: total,
      amount_paid: paid ? total : 0,
      billing_reason: reason,
      created: this.now,
      currency: subscription.currency,
      customer: subscription.customer,
      lines: {
        object: "list",
        has_more: false,
        data: plan.map((line, i) => ({
          id: this.id("il"),
          object: "line_item",
          amount: line.amount * line.quantity,
          currency: subscription.currency,
          description: line.name,
          period: { start: current_period_start, end: current_period_end },
          parent: {
            type: "subscription_item_details",
            invoice_item_details: null,
            subscription_item_details: {
              invoice_item: null,
              proration: false,
              proration_details: null,
              subscription: subscription.id,
              subscription_item: subscription.items.data[i]!.id,
            },
          },
        })),
      },
      livemode: this.livemode,
      metadata: {},
      parent: {
        type: "subscription_details",
        quote_details: null,
        subscription_details: {
          metadata: { ...subscription.metadata },
          subscription: subscription.id,
        },
      },
      // Stripe's own field is the previous period; the lines have the one being paid for.
      period_start: current_period_start,
      period_end: current_period_start,
      status: paid ? "paid" : "open",
      status_transitions: { paid_at: paid ? this.now : null },
      total,
    };
    this.invoices.set(id, invoice);
    subscription.latest_invoice = id;
    this.emit("invoice.created", invoice);
    if (paid) {
      this.emit("invoice.paid", invoice);
      this.emit("invoice.payment_succeeded", invoice);
    }
    if (payment === "failed") this.emit("invoice.payment_failed", invoice);
    return invoice;
  }

  /**
   * Bills the next period of a live subscription; returns the invoice, or null if it is canceled.
   */
  renew(subscriptionId: string, options: { fails?: boolean } = {}): Invoice | null {
    const subscription = find(this.subscriptions, subscriptionId, "subscription");
    if (subscription.status === "canceled") return null;
    if (subscription.cancel_at_period_end) {
      this.cancelSubscription(subscriptionId);
      return null;
    }
    const interval = this.#plans.get(subscriptionId)![0]!.interval;
    for (const item of subscription.items.data) {
      item.current_period_start = item.current_period_end;
      item.current_period_end = periodEnd(item.current_period_start, interval);
    }
    const invoice = this.#bill(
      subscription,
      "subscription_cycle",
      options.fails ? "failed" : "paid",
    );
    subscription.status = options.fails ? "past_due" : "active";
    this.emit("customer.subscription.updated", subscription);
    return invoice;
  }

  /** Collects a renewal that failed before, even if its subscription has been canceled since. */
  collect(invoiceId: string): void {
    const invoice = find(this.invoices, invoiceId, "invoice");
    if (invoice.status === "paid") return;
    invoice.status = "paid";
    invoice.status_transitions.paid_at = this.now;
    invoice.amount_paid = invoice.total;
    const { subscription: id } = invoice.parent.subscription_details;
    const subscription = find(this.subscriptions, id, "subscription");
    this.emit("invoice.paid", invoice);
    if (subscription.status !== "past_due") return;
    subscription.status = "active";
    this.emit("customer.subscription.updated", subscription);
  }

  /**
   * Cancels a renewal at the end of its period, or undoes that, as its payer does in the portal.
   */
  cancelLater(id: string, later: boolean): void {
    const subscription = find(this.subscriptions, id, "subscription");
    subscription.cancel_at_period_end = later;
    this.emit("customer.subscription.updated", subscription);
  }

  cancelSubscription(id: string): Subscription {
    const subscription = find(this.subscriptions, id, "subscription");
    const hasEnded = ["canceled", "incomplete_expired"].includes(subscription.status);
    if (hasEnded) throw missing("subscription", id);
    subscription.status = "canceled";
    subscription.canceled_at = this.now;
    subscription.ended_at = this.now;
    this.emit("customer.subscription.deleted", subscription);
    return subscription;
  }
}

/** The object with this id, or Stripe's 404. */
export function find<T>(objects: Map<string, T>, id: string, kind: string): T {
  const object = objects.get(id);
  if (object === undefined) throw missing(kind, id);
  return object;
}

/** Stripe's 404. */
export function missing(kind: string, id: string): ApiError {
  return new ApiError(404, "invalid_request_error", `No such ${kind}: '${id}'`, {
    code: "resource_missing",
    param: "id",
  });
}
