/** The double's objects, in the shape of the pinned API version. Times are in seconds. */

export type Metadata = Record<string, string>;

export interface Session {
  id: string;
  object: "checkout.session";
  adaptive_pricing: { enabled: boolean };
  allowed_payment_method_types: string[] | null;
  amount_subtotal: number;
  amount_total: number;
  cancel_url: string | null;
  client_reference_id: string | null;
  created: number;
  currency: string;
  custom_text: { submit: { message: string } | null };
  customer: string | null;
  customer_creation: "always" | "if_required" | null;
  customer_details: { email: string } | null;
  expires_at: number;
  invoice: string | null;
  livemode: boolean;
  metadata: Metadata;
  mode: "payment" | "subscription";
  payment_intent: string | null;
  payment_method_types: string[];
  payment_status: "paid" | "unpaid" | "no_payment_required";
  status: "open" | "complete" | "expired";
  submit_type: "auto" | "book" | "donate" | "pay" | "subscribe" | null;
  subscription: string | null;
  success_url: string;
  ui_mode: "hosted_page";
  url: string | null;
}

export interface LineItem {
  name: string;
  amount: number;
  quantity: number;
  interval: "day" | "week" | "month" | "year" | null;
}

/** Input of a session that it doesn't return. */
export interface SessionSecrets {
  lines: LineItem[];
  captureMethod: "automatic" | "manual";
  intentMetadata: Metadata;
  subscriptionMetadata: Metadata;
}

/** Why an intent was canceled: set by the caller, or by Stripe if it lapsed. */
export type CancellationReason =
  | "abandoned"
  | "automatic"
  | "duplicate"
  | "fraudulent"
  | "requested_by_customer";

export interface PaymentIntent {
  id: string;
  object: "payment_intent";
  amount: number;
  amount_capturable: number;
  amount_received: number;
  canceled_at: number | null;
  cancellation_reason: CancellationReason | null;
  capture_method: "automatic" | "manual";
  created: number;
  currency: string;
  customer: string | null;
  latest_charge: string | Charge | null;
  livemode: boolean;
  metadata: Metadata;
  payment_method_types: string[];
  status:
    | "requires_payment_method"
    | "requires_action"
    | "processing"
    | "requires_capture"
    | "canceled"
    | "succeeded";
}

export interface Charge {
  id: string;
  object: "charge";
  amount: number;
  captured: boolean;
  created: number;
  payment_intent: string;
  payment_method_details: {
    type: "card" | "link";
    card?: { brand: string; last4: string; capture_before?: number };
  } | null;
  status: "succeeded";
}

export interface Subscription {
  id: string;
  object: "subscription";
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  created: number;
  currency: string;
  customer: string;
  ended_at: number | null;
  items: {
    object: "list";
    data: {
      id: string;
      object: "subscription_item";
      current_period_start: number;
      current_period_end: number;
    }[];
  };
  latest_invoice: string;
  livemode: boolean;
  metadata: Metadata;
  status: "active" | "past_due" | "incomplete_expired" | "canceled";
}

export interface Invoice {
  id: string;
  object: "invoice";
  amount_due: number;
  amount_paid: number;
  billing_reason: "subscription_create" | "subscription_cycle";
  created: number;
  currency: string;
  customer: string;
  lines: {
    object: "list";
    has_more: boolean;
    data: {
      id: string;
      object: "line_item";
      amount: number;
      currency: string;
      description: string;
      period: { start: number; end: number };
      parent: {
        type: "subscription_item_details";
        invoice_item_details: null;
        subscription_item_details: {
          invoice_item: null;
          proration: boolean;
          proration_details: null;
          subscription: string;
          subscription_item: string;
        };
      };
    }[];
  };
  livemode: boolean;
  metadata: Metadata;
  parent: {
    type: "subscription_details";
    quote_details: null;
    subscription_details: { metadata: Metadata; subscription: string };
  };
  period_start: number;
  period_end: number;
  status: "open" | "paid";
  status_transitions: { paid_at: number | null };
  total: number;
}

export interface Customer {
  id: string;
  object: "customer";
  created: number;
  email: string | null;
  livemode: boolean;
  metadata: Metadata;
}

export interface StripeEvent {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  data: { object: Record<string, unknown> };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

/** One period after `start` (seconds): 24-hour days, or the same day of the next month. */
export function periodEnd(start: number, interval: LineItem["interval"]): number {
  if (interval === "day") return start + 86_400;
  if (interval === "week") return start + 7 * 86_400;
  const date = new Date(start * 1000);
  const months = interval === "year" ? 12 : 1;
  const target = new Date(Date.UTC(
    date.getUTCFullYear(),
    date.getUTCMonth() + months,
    1,
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ));
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0))
    .getUTCDate();
  target.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return target.getTime() / 1000;
}
