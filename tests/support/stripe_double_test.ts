import { assert, assertEquals, assertRejects } from "@std/assert";
import Stripe from "stripe";
import { delay } from "@/lib/clock.ts";
import { createStripe, STRIPE_API_VERSION } from "@/lib/payments/stripe.ts";
import { API_VERSION, StripeDouble, TEST_KEY } from "./stripe_double.ts";

const T0 = Date.parse("2026-11-20T12:00:00Z");

function setup() {
  const clock = { now: T0 };
  const double = new StripeDouble(() => clock.now);
  const stripe = createStripe({ secretKey: TEST_KEY, fetch: double.fetch });
  return { clock, double, stripe };
}

function order(extra: Record<string, unknown> = {}): Stripe.Checkout.SessionCreateParams {
  return {
    mode: "payment",
    success_url: "https://example.com/checkout/success",
    line_items: [
      {
        quantity: 1,
        price_data: { currency: "usd", unit_amount: 900, product_data: { name: "Boost" } },
      },
      {
        quantity: 1,
        price_data: { currency: "usd", unit_amount: 58, product_data: { name: "Fee" } },
      },
    ],
    ...extra,
  } as Stripe.Checkout.SessionCreateParams;
}

const hold = {
  payment_intent_data: { capture_method: "manual", metadata: { kind: "bid" } },
  allowed_payment_method_types: ["card"],
};

async function refusal(promise: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  return await assertRejects(() => promise, Stripe.errors.StripeError) as Stripe.errors.StripeError;
}

Deno.test("the client and the double pin the API version that the package was made for", () => {
  assertEquals(STRIPE_API_VERSION, API_VERSION);
  assertEquals(STRIPE_API_VERSION, Stripe.API_VERSION);
});

Deno.test("the double rejects what Stripe rejects in a session", async () => {
  const { stripe, double } = setup();
  const line = {
    quantity: 1,
    price_data: { currency: "usd", unit_amount: 900, product_data: { name: "x" } },
  };
  const weekly = { ...line, price_data: { ...line.price_data, recurring: { interval: "week" } } };
  for (
    const [bad, param] of [
      [{ surprise: 1 }, "surprise"],
      [{ payment_method_types: ["card"] }, "payment_method_types"],
      [{ payment_intent_data: { capture: "manual" } }, "payment_intent_data[capture]"],
      [{ mode: "sale" }, "mode"],
      [{ success_url: "not a url" }, "success_url"],
      [{ line_items: [] }, "line_items"],
      [{ line_items: [weekly] }, "line_items"],
      [{ line_items: [{ ...line, quantity: 0 }] }, "line_items[0][quantity]"],
      [
        { line_items: [{ ...line, price_data: { ...line.price_data, unit_amount: 10.5 } }] },
        "line_items[0][price_data][unit_amount]",
      ],
      [{
        line_items: [line, {
          ...line,
          price_data: { ...line.price_data, unit_amount: 99_999_100 },
        }],
      }, "line_items"],
      [{ expires_at: T0 / 1000 + 1799 }, "expires_at"],
      [{ expires_at: T0 / 1000 + 86_401 }, "expires_at"],
      [{ mode: "subscription", line_items: [line] }, "line_items"],
      [
        { mode: "subscription", line_items: [weekly], customer_creation: "always" },
        "customer_creation",
      ],
      [{
        mode: "subscription",
        line_items: [weekly],
        payment_intent_data: { metadata: { a: "b" } },
      }, "payment_intent_data"],
      [{ subscription_data: { metadata: { a: "b" } } }, "subscription_data"],
      [{ metadata: { a: "x".repeat(501) } }, "metadata"],
    ] as const
  ) {
    const error = await refusal(stripe.checkout.sessions.create(order(bad)));
    assertEquals([error.type, error.param], ["StripeInvalidRequestError", param]);
  }
  assertEquals(double.sessions.size, 0);
  await stripe.checkout.sessions.create(order({ expires_at: T0 / 1000 + 1800 }));
});

Deno.test("a declined card's intent ends with its session", async () => {
  const { stripe, double } = setup();
  const session = await stripe.checkout.sessions.create(order(hold));
  double.pay(session.id, { declined: true });
  await stripe.checkout.sessions.expire(session.id);
  const { payment_intent } = await stripe.checkout.sessions.retrieve(session.id);
  const intent = await stripe.paymentIntents.retrieve(payment_intent as string);
  assertEquals([intent.status, intent.cancellation_reason], ["canceled", "automatic"]);
});

Deno.test("a concurrent request with the same idempotency key gets a 409 and isn't saved", async () => {
  const { stripe, double } = setup();
  double.latency = () => delay(20);
  const create = () => stripe.checkout.sessions.create(order(hold), { idempotencyKey: "k" });
  const first = create();
  const refused = await assertRejects(create, Stripe.errors.StripeError);
  assertEquals([refused.statusCode, refused.code], [409, "idempotency_key_in_use"]);
  const { id } = await first;
  assertEquals((await create()).id, id);
});

Deno.test("a hold is captured or canceled only once, and says how long it lasts", async () => {
  const { stripe, double } = setup();
  const intents = [];
  for (let i = 0; i < 2; i++) {
    const session = await stripe.checkout.sessions.create(order(hold));
    double.pay(session.id);
    const { payment_intent, payment_status } = await stripe.checkout.sessions.retrieve(session.id);
    assertEquals(payment_status, "unpaid");
    intents.push(payment_intent as string);
  }
  const [won, lost] = intents as [string, string];
  const held = await stripe.paymentIntents.retrieve(won, { expand: ["latest_charge"] });
  assertEquals([held.status, held.amount_capturable], ["requires_capture", 958]);
  const charge = held.latest_charge as Stripe.Charge;
  assertEquals(charge.payment_method_details?.card?.capture_before, T0 / 1000 + 7 * 86_400);
  assertEquals((await stripe.paymentIntents.cancel(lost)).status, "canceled");
  assertEquals((await stripe.paymentIntents.capture(won)).amount_received, 958);
  for (
    const call of [
      () => stripe.paymentIntents.capture(lost),
      () => stripe.paymentIntents.capture(won),
      () => stripe.paymentIntents.cancel(lost),
      () => stripe.paymentIntents.cancel(won),
    ]
  ) assertEquals((await refusal(call())).code, "payment_intent_unexpected_state");
});

Deno.test("sessions expire by the clock or on demand, and holds lapse after seven days", async () => {
  const { clock, stripe, double } = setup();
  const short = await stripe.checkout.sessions.create(order({ expires_at: T0 / 1000 + 1800 }));
  const long = await stripe.checkout.sessions.create(order(hold));
  double.pay(long.id);
  const expired = await stripe.checkout.sessions.create(order());
  assertEquals((await stripe.checkout.sessions.expire(expired.id)).status, "expired");
  assertEquals(double.pay(expired.id), false);
  assertEquals((await refusal(stripe.checkout.sessions.expire(long.id))).statusCode, 400);
  clock.now += 30 * 60_000;
  assertEquals(double.pay(short.id), false);
  assertEquals((await stripe.checkout.sessions.retrieve(short.id)).status, "expired");
  clock.now += 7 * 86_400_000;
  const { payment_intent } = await stripe.checkout.sessions.retrieve(long.id);
  const intent = await stripe.paymentIntents.retrieve(payment_intent as string);
  assertEquals([intent.status, intent.cancellation_reason], ["canceled", "automatic"]);
});

Deno.test("an idempotency key replays its response for a day, even a 500, and rejects other parameters", async () => {
  const { clock, stripe, double } = setup();
  const create = (key: string, extra = {}) =>
    stripe.checkout.sessions.create(order(extra), { idempotencyKey: key });
  const first = await create("k1");
  assertEquals((await create("k1")).id, first.id);
  assertEquals(
    (await refusal(create("k1", { metadata: { a: "b" } }))).type,
    "StripeIdempotencyError",
  );
  double.fail("http_500");
  assertEquals((await refusal(create("k2"))).statusCode, 500);
  assertEquals((await refusal(create("k2"))).statusCode, 500);
  assertEquals(double.sessions.size, 1);
  double.fail("http_429");
  assertEquals((await refusal(create("k3"))).statusCode, 429);
  await create("k3");
  await refusal(create("k4", { surprise: 1 }));
  await create("k4");
  clock.now += 86_400_000;
  assert((await create("k1")).id !== first.id);
});

Deno.test("lists filter by field and time and page by cursor", async () => {
  const { clock, stripe } = setup();
  for (let i = 0; i < 25; i++) {
    clock.now = T0 + i * 1000;
    await stripe.checkout.sessions.create(order({ metadata: { n: String(i) } }));
  }
  const seen: string[] = [];
  for await (
    const session of stripe.checkout.sessions.list({ limit: 7, created: { gte: T0 / 1000 + 5 } })
  ) {
    seen.push(session.metadata!.n!);
  }
  assertEquals(seen, Array.from({ length: 20 }, (_, i) => String(24 - i)));
  const lost = await refusal(stripe.checkout.sessions.list({ starting_after: "cs_lost" }));
  assertEquals([lost.statusCode, lost.code], [400, "resource_missing"]);
});

Deno.test("events are listed for 30 days, of up to 20 types", async () => {
  const { clock, stripe, double } = setup();
  double.pay((await stripe.checkout.sessions.create(order())).id);
  const count = async () => (await stripe.events.list()).data.length;
  clock.now = T0 + 30 * 86_400_000 - 1000;
  assertEquals(await count(), double.events.length);
  clock.now = T0 + 30 * 86_400_000;
  assertEquals(await count(), 0);
  const types = Array.from({ length: 21 }, (_, i) => `invoice.${i}`);
  assertEquals((await refusal(stripe.events.list({ types }))).statusCode, 400);
});

Deno.test("a webhook counts as delivered only on a 2xx", async () => {
  const { stripe, double } = setup();
  double.pay((await stripe.checkout.sessions.create(order())).id);
  const [event] = double.undelivered();
  await double.deliver(event!, () => Promise.resolve(new Response(null, { status: 503 })));
  assertEquals(double.undelivered().includes(event!), true);
  await double.deliverAll(() => Promise.resolve(new Response()));
  assertEquals(double.undelivered(), []);
});

Deno.test("a canceled subscription isn't renewed or canceled again", async () => {
  const { stripe, double } = setup();
  const price = { currency: "usd", unit_amount: 900, product_data: { name: "Boost" } };
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    success_url: "https://example.com/",
    line_items: [{ quantity: 1, price_data: { ...price, recurring: { interval: "week" } } }],
  });
  double.pay(session.id);
  const [id] = double.subscriptions.keys();
  assertEquals((await stripe.subscriptions.cancel(id!)).status, "canceled");
  assertEquals((await refusal(stripe.subscriptions.cancel(id!))).statusCode, 404);
  assertEquals(double.renew(id!), null);
});

Deno.test("serve works with the real client over HTTP and drops connections on a fault", async () => {
  const { double } = setup();
  const server = double.serve();
  try {
    const stripe = createStripe({ secretKey: TEST_KEY, apiUrl: server.url });
    const session = await stripe.checkout.sessions.create(order());
    assertEquals((await stripe.checkout.sessions.retrieve(session.id)).id, session.id);
    double.fail("lost_after");
    assertEquals(
      (await refusal(stripe.checkout.sessions.create(order()))).type,
      "StripeConnectionError",
    );
    assertEquals(double.sessions.size, 2);
    const stranger = createStripe({ secretKey: "sk_test_other", apiUrl: server.url });
    await refusal(stranger.checkout.sessions.create(order()));
  } finally {
    await server.close();
  }
});
