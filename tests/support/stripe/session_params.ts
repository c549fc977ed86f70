import type { LineItem, Metadata } from "./objects.ts";
import { checkShape, ParameterError, type Params, type Shape, wholeNumber } from "./wire.ts";

const URL_MAX = 5000;
const SHAPE: Shape = {
  adaptive_pricing: { enabled: "leaf" },
  allow_promotion_codes: "leaf",
  billing_address_collection: "leaf",
  cancel_url: "leaf",
  client_reference_id: "leaf",
  currency: "leaf",
  custom_text: { submit: { message: "leaf" }, after_submit: { message: "leaf" } },
  customer: "leaf",
  customer_creation: "leaf",
  customer_email: "leaf",
  expand: ["leaf"],
  expires_at: "leaf",
  line_items: [{
    price: "leaf",
    price_data: {
      currency: "leaf",
      product: "leaf",
      product_data: { name: "leaf", description: "leaf", metadata: "map" },
      recurring: { interval: "leaf", interval_count: "leaf" },
      tax_behavior: "leaf",
      unit_amount: "leaf",
    },
    quantity: "leaf",
  }],
  locale: "leaf",
  metadata: "map",
  mode: "leaf",
  payment_intent_data: {
    capture_method: "leaf",
    description: "leaf",
    metadata: "map",
    receipt_email: "leaf",
    setup_future_usage: "leaf",
    statement_descriptor_suffix: "leaf",
  },
  allowed_payment_method_types: ["leaf"],
  submit_type: "leaf",
  subscription_data: { description: "leaf", metadata: "map", trial_period_days: "leaf" },
  success_url: "leaf",
  ui_mode: "leaf",
};

/** A validated session request. */
interface SessionRequest {
  mode: "payment" | "subscription";
  lines: LineItem[];
  currency: string;
  expiresAt: number;
  customer: string | null;
  captureMethod: "automatic" | "manual";
  metadata: Metadata;
  intentMetadata: Metadata;
  subscriptionMetadata: Metadata;
  methods: string[];
}

/** Validates the parameters of `POST /v1/checkout/sessions` like Stripe; `now` in seconds. */
export function parseSession(params: Params, now: number): SessionRequest {
  checkShape(params, SHAPE);
  const mode = params.mode;
  if (mode !== "payment" && mode !== "subscription") {
    throw new ParameterError(
      "Invalid mode: must be one of payment, setup, or subscription",
      "mode",
    );
  }
  checkUrl(params.success_url, "success_url", true);
  checkUrl(params.cancel_url, "cancel_url", false);
  forbid(mode !== "payment", params, "payment_intent_data", "payment");
  forbid(mode !== "payment", params, "customer_creation", "payment");
  forbid(mode !== "payment", params, "submit_type", "payment");
  forbid(mode !== "subscription", params, "subscription_data", "subscription");
  if (params.customer !== undefined && params.customer_creation !== undefined) {
    throw new ParameterError(
      "You may only specify one of these parameters: customer, customer_creation.",
    );
  }
  oneOf(params.customer_creation, "customer_creation", ["always", "if_required"]);
  oneOf(params.submit_type, "submit_type", ["auto", "book", "donate", "pay", "subscribe"]);
  oneOf(params.ui_mode, "ui_mode", ["hosted_page"]);
  const intentData = (params.payment_intent_data ?? {}) as Params;
  oneOf(intentData.capture_method, "payment_intent_data[capture_method]", [
    "automatic",
    "automatic_async",
    "manual",
  ]);
  const message = ((params.custom_text as Params)?.submit as Params)?.message;
  if (typeof message === "string" && (message.length === 0 || message.length > 1200)) {
    throw new ParameterError("Text may be up to 1200 characters", "custom_text[submit][message]");
  }
  const lines = parseLines(params.line_items, mode);
  const total = lines.reduce((sum, line) => sum + line.amount * line.quantity, 0);
  if (total < 50) {
    throw new ParameterError(
      "The Checkout Session's total amount due must add up to at least $0.50 usd",
      undefined,
      "amount_too_small",
    );
  }
  if (total > 99_999_999) {
    throw new ParameterError(
      "The Checkout Session's total amount must be no more than $999,999.99",
      "line_items",
      "amount_too_large",
    );
  }
  return {
    mode,
    lines,
    currency: "usd",
    expiresAt: parseExpiry(params.expires_at, now),
    customer: (params.customer as string) ?? null,
    captureMethod: intentData.capture_method === "manual" ? "manual" : "automatic",
    metadata: (params.metadata ?? {}) as Metadata,
    intentMetadata: (intentData.metadata ?? {}) as Metadata,
    subscriptionMetadata: ((params.subscription_data as Params)?.metadata ?? {}) as Metadata,
    methods: (params.allowed_payment_method_types as string[]) ?? ["card"],
  };
}

function parseExpiry(value: unknown, now: number): number {
  if (value === undefined) return now + 86_400;
  const expiresAt = wholeNumber(value, "expires_at", 0, 99_999_999_999);
  if (expiresAt < now + 1800) {
    throw new ParameterError(
      "The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.",
      "expires_at",
    );
  }
  if (expiresAt > now + 86_400) {
    throw new ParameterError(
      "The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.",
      "expires_at",
    );
  }
  return expiresAt;
}

function parseLines(value: unknown, mode: string): LineItem[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new ParameterError(`\`line_items\` is required in \`${mode}\` mode.`, "line_items");
  }
  const lines = (value as Params[]).map((item, i): LineItem => {
    const at = `line_items[${i}]`;
    const price = item.price_data as Params | undefined;
    if (price === undefined) throw new ParameterError("One of price or price_data is required", at);
    if (price.currency !== "usd") {
      throw new ParameterError("Invalid currency", `${at}[price_data][currency]`);
    }
    const name = (price.product_data as Params | undefined)?.name;
    if (typeof name !== "string" || name === "") {
      throw new ParameterError(
        "Missing required param: product_data[name]",
        `${at}[price_data]`,
        "parameter_missing",
      );
    }
    const recurring = price.recurring as Params | undefined;
    oneOf(recurring?.interval, `${at}[price_data][recurring][interval]`, [
      "day",
      "week",
      "month",
      "year",
    ]);
    return {
      name,
      amount: wholeNumber(price.unit_amount, `${at}[price_data][unit_amount]`),
      quantity: wholeNumber(item.quantity, `${at}[quantity]`, 1),
      interval: (recurring?.interval as LineItem["interval"]) ?? null,
    };
  });
  const recurring = lines.filter((line) => line.interval !== null);
  if (mode === "payment" && recurring.length > 0) {
    throw new ParameterError(
      "You specified `payment` mode but passed a recurring price.",
      "line_items",
    );
  }
  if (mode === "subscription" && recurring.length === 0) {
    throw new ParameterError(
      "You must provide at least one recurring price in `subscription` mode",
      "line_items",
    );
  }
  if (new Set(recurring.map((line) => line.interval)).size > 1) {
    throw new ParameterError(
      "Checkout does not support multiple prices with different billing intervals.",
    );
  }
  return lines;
}

function checkUrl(value: unknown, name: string, required: boolean): void {
  if (value === undefined && !required) return;
  const text = String(value ?? "").replace("{CHECKOUT_SESSION_ID}", "cs");
  if (!URL.canParse(text) || !/^https?:/.test(text) || text.length > URL_MAX) {
    throw new ParameterError("Not a valid URL", name, "url_invalid");
  }
}

function forbid(when: boolean, params: Params, name: string, mode: string): void {
  if (when && params[name] !== undefined) {
    throw new ParameterError(`You can not pass \`${name}\` unless in \`${mode}\` mode.`, name);
  }
}

function oneOf(value: unknown, name: string, allowed: string[]): void {
  if (value !== undefined && !allowed.includes(value as string)) {
    throw new ParameterError(`Invalid ${name}: must be one of ${allowed.join(", ")}`, name);
  }
}
