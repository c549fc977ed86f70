import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "@/lib/clock.ts";
import { getPaymentFigures } from "@/lib/operator/payment_figures.ts";
import { writeCheckout } from "@/lib/payments/checkout.ts";
import { retryDoubts } from "@/lib/payments/doubts.ts";
import { reconcilePayments } from "@/lib/payments/jobs.ts";
import { paymentKeys } from "@/lib/payments/keys.ts";
import { reconcile } from "@/lib/payments/reconcile.ts";
import type { Checkout } from "@/lib/payments/schema.ts";
import { promotionKeys } from "@/lib/promotions/keys.ts";
import { submit } from "../support/listings.ts";
import { AUCTION_ID, AUCTION_NOW, type PaidApp, paidApp } from "../support/payments.ts";
import type { Charge, Invoice, Metadata, StripeEvent } from "../support/stripe/objects.ts";
import { API_VERSION, signature, TEST_SECRET } from "../support/stripe_double.ts";

/** A paid order whose events aren't delivered yet. */
async function paidOrder(app: PaidApp, tierId = "bump-3", autoRenew = false) {
  const { project: { slug } } = await submit(app);
  const { body } = await app.json("/api/v1/promote", { json: { slug, tierId, autoRenew } });
  const session = app.sessionOf(body.checkoutUrl);
  app.stripe.pay(session);
  const completed = app.stripe.events.findLast((e) => e.type === "checkout.session.completed")!;
  return { slug, session, completed };
}

async function isPromoted(app: PaidApp, slug: string): Promise<boolean> {
  await app.deps.placements.caughtUp();
  return (await app.json(`/api/v1/projects/${slug}`)).body.project.promoted;
}

async function grants(app: PaidApp): Promise<number> {
  let count = 0;
  for await (const _ of app.deps.store.list({ prefix: promotionKeys.grants })) count++;
  return count;
}

/** An event that Stripe never sent, signed with the real secret. */
function forged(type: string, object: Record<string, unknown>, extra = {}): StripeEvent {
  return {
    id: `evt_forged_${Math.random()}`,
    object: "event",
    api_version: API_VERSION,
    created: AUCTION_NOW / 1000,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    ...extra,
  };
}

Deno.test("invariant 22: a webhook whose signature is missing, wrong, old, early or for other bytes does nothing", async () => {
  await using app = await paidApp();
  const { slug, completed } = await paidOrder(app);
  const body = JSON.stringify(completed);
  const now = app.clock.now();
  const good = signature(body, TEST_SECRET, now);
  const post = (header: string | null, bytes = body) =>
    app.json("/api/stripe/webhook", {
      method: "POST",
      headers: header === null ? {} : { "stripe-signature": header },
      body: bytes,
    });
  const t = Math.floor(now / 1000);
  for (
    const header of [
      null,
      "",
      "t=1",
      "v1=abc",
      `t=${t}`,
      `t=${t},v1=`,
      `t=${t},v1=${"0".repeat(64)}`,
      `t=${t},v0=${good.split("v1=")[1]}`,
      `t=${t + 1},v1=${good.split("v1=")[1]}`,
      `t=abc,v1=${good.split("v1=")[1]}`,
      `t=,v1=${good.split("v1=")[1]}`,
      `${"t=1,".repeat(1000)}v1=x`,
      signature(body, "whsec_other", now),
      signature(body, TEST_SECRET, now - 301_000),
      signature(body, TEST_SECRET, now + 301_000),
      signature(body + " ", TEST_SECRET, now),
    ]
  ) {
    const { status, body } = await post(header);
    assertEquals([status, body.error.code], [400, "invalid_input"], String(header).slice(0, 80));
  }
  assertEquals((await post(good, body.replace("bump-3", "spotlight-30"))).status, 400);
  const notJson = "not json";
  assertEquals(
    (await post(signature(notJson, TEST_SECRET, now), notJson)).body.error.code,
    "invalid_json",
  );
  assertEquals(await isPromoted(app, slug), false);
  assertEquals((await post(good)).status, 200);
  assertEquals(await isPromoted(app, slug), true);
  for (const late of [-300_000, 300_000]) {
    assertEquals((await post(signature(body, TEST_SECRET, now + late))).status, 200, `${late} ms`);
  }
  // While a secret is rotated, Stripe signs with the old and the new one.
  const signedTwice = good.replace("v1=", `v1=${"0".repeat(64)},v1=`);
  assertEquals((await post(signedTwice)).status, 200);
});

Deno.test("several webhook secrets are accepted, so that they can be rotated", async () => {
  await using app = await paidApp({ env: { STRIPE_WEBHOOK_SECRET: `whsec_new, ${TEST_SECRET}` } });
  const { completed } = await paidOrder(app);
  assertEquals((await app.post(completed, { secret: "whsec_new" })).status, 200);
  assertEquals((await app.post(completed, { secret: TEST_SECRET })).status, 200);
  assertEquals((await app.post(completed, { secret: "whsec_old" })).status, 400);
});

Deno.test("invariant 20: a repeated event grants once, even concurrently and under other ids", async () => {
  await using app = await paidApp();
  const { completed } = await paidOrder(app);
  const again = { ...completed, id: "evt_other" };
  await Promise.all([completed, completed, again, completed, again].map((e) => app.post(e)));
  await app.post(completed);
  assertEquals(await grants(app), 1);
});

Deno.test("events for sessions, intents, invoices and subscriptions that we never made grant nothing", async () => {
  await using app = await paidApp();
  const { slug, session, completed } = await paidOrder(app);
  const real = completed.data.object;
  for (
    const event of [
      forged("checkout.session.completed", { ...real, id: "cs_test_unknown" }),
      forged("invoice.paid", { id: "in_unknown", status: "paid" }),
      forged("payment_intent.amount_capturable_updated", { id: "pi_unknown" }),
      forged("customer.subscription.deleted", { id: "sub_unknown" }),
      forged("charge.refunded", { id: "ch_1" }),
      forged("some.future.event", {}),
      forged("checkout.session.completed", real, { livemode: true }),
    ]
  ) {
    assertEquals((await app.post(event)).status, 200, event.type);
  }
  assertEquals(await grants(app), 0);
  // What an event claims about an unpaid session doesn't count; the session itself does.
  const { body } = await app.json("/api/v1/promote", { json: { slug, tierId: "bump-3" } });
  const unpaid = app.stripe.sessions.get(app.sessionOf(body.checkoutUrl))!;
  await app.post(
    forged("checkout.session.completed", { ...unpaid, status: "complete", payment_status: "paid" }),
  );
  assertEquals(await grants(app), 0);
  assert(session !== unpaid.id);
});

Deno.test("refunds, disputes and late failures of a granted payment change nothing", async () => {
  await using app = await paidApp();
  const { session, completed } = await paidOrder(app);
  await app.post(completed);
  const { payment_intent } = app.stripe.sessions.get(session)!;
  const charge = { id: "ch_1", payment_intent, metadata: completed.data.object.metadata };
  for (
    const [type, object] of [
      ["charge.refunded", charge],
      ["charge.dispute.created", { ...charge, id: "du_1" }],
      ["charge.dispute.closed", { ...charge, id: "du_1", status: "lost" }],
      ["refund.created", { id: "re_1", payment_intent }],
      ["payment_intent.succeeded", { id: payment_intent }],
      ["payment_intent.canceled", { id: payment_intent }],
      ["checkout.session.expired", completed.data.object],
      ["checkout.session.async_payment_failed", completed.data.object],
      ["checkout.session.async_payment_succeeded", completed.data.object],
    ] as const
  ) {
    assertEquals((await app.post(forged(type, object))).status, 200, type);
  }
  assertEquals(await grants(app), 1);
  assertEquals((await getPaymentFigures(app.deps)).alerts, []);
});

for (
  const [key, live] of [
    ["sk_test_1", false],
    ["rk_test_1", false],
    ["sk_live_1", true],
    ["rk_live_1", true],
    ["sk_org_live_1", true],
    ["sk_org_test_1", false],
  ] as const
) {
  Deno.test(`invariant 22: with a key ${key.slice(0, -1)}…, events of the other mode are ignored and alert once`, async () => {
    await using app = await paidApp({ env: { STRIPE_SECRET_KEY: key } });
    const { completed } = await paidOrder(app);
    const told: string[] = [];
    app.deps.log.error = (event) => told.push(event);
    for (const id of ["evt_a", "evt_b"]) {
      assertEquals((await app.post({ ...completed, id, livemode: !live })).status, 200);
    }
    assertEquals(await grants(app), 0);
    assertEquals((await getPaymentFigures(app.deps)).alerts.length, 1);
    assertEquals(told, ["payments_alert"]);
    await app.post({ ...completed, livemode: live });
    assertEquals(await grants(app), 1);
  });
}

Deno.test("invariant 22: metadata, amount or currency that differ from the order grant nothing and alert", async () => {
  for (
    const change of [
      { metadata: { slug: "another" } },
      { metadata: { tierId: "spotlight-30" } },
      { amount_total: 1 },
      { currency: "eur" },
    ]
  ) {
    await using app = await paidApp();
    const { session, completed } = await paidOrder(app);
    const stored = app.stripe.sessions.get(session)! as unknown as Record<string, unknown>;
    const { metadata, ...rest } = change as { metadata?: object };
    Object.assign(stored, rest);
    if (metadata) stored.metadata = { ...(stored.metadata as object), ...metadata };
    assertEquals((await app.post(completed)).status, 200);
    assertEquals(await grants(app), 0, JSON.stringify(change));
    const { alerts } = await getPaymentFigures(app.deps);
    assertEquals(alerts[0]!.details.object, session);
  }
});

Deno.test("a payment found while our clock is slow counts from the time it was paid", async () => {
  for (const [tierId, autoRenew] of [["bump-3", false], ["boost-7", true]] as const) {
    await using app = await paidApp();
    const { slug, session } = await paidOrder(app, tierId, autoRenew);
    Object.assign(app.stripe, { nowMs: () => AUCTION_NOW });
    app.clock.set(AUCTION_NOW - 30 * DAY_MS);
    assertEquals(await reconcile(app.deps), true);
    app.clock.set(AUCTION_NOW + MINUTE_MS);
    assertEquals([await isPromoted(app, slug), await grants(app)], [true, 1], tierId);
    const { orderId } = app.stripe.sessions.get(session)!.metadata;
    const html = await app.text(`/checkout/paid?order=${orderId}`);
    assertStringIncludes(html, "Your project is promoted");
  }
});

Deno.test("a webhook's own time doesn't date what it grants", async () => {
  for (const created of [1e11, undefined, "x"]) {
    await using app = await paidApp();
    const { slug, completed } = await paidOrder(app);
    const forgedEvent = { ...completed, id: `evt_${created}`, created: created as number };
    assertEquals((await app.post(forgedEvent)).status, 200);
    assert(await isPromoted(app, slug));
    const { promotion } = (await app.json(`/api/v1/projects/${slug}`)).body.project;
    assertEquals(promotion.endsAt, isoTime(AUCTION_NOW + 3 * DAY_MS));
  }
});

Deno.test("an unpaid link expires without a request to Stripe", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { body } = await app.json("/api/v1/promote", { json: { slug, tierId: "bump-3" } });
  const session = app.sessionOf(body.checkoutUrl);
  const { orderId } = app.stripe.sessions.get(session)!.metadata;
  app.clock.advance(25 * HOUR_MS);
  app.stripe.passTime();
  const before = app.stripe.requests.length;
  await app.deliverAll();
  assertEquals(app.stripe.requests.slice(before), []);
  const { value } = await app.deps.store.get<Checkout>(paymentKeys.checkout(orderId!));
  assertEquals(value!.status, "expired");
});

Deno.test("invariant 22: an unpaid or mismatched invoice grants nothing until corrected", async () => {
  for (const change of [{ status: "open" }, { currency: "eur" }, { slug: "another" }]) {
    await using app = await paidApp();
    await paidOrder(app, "boost-7", true);
    const [{ metadata }] = app.stripe.subscriptions.values() as unknown as [
      { metadata: Record<string, string> },
    ];
    const { slug } = metadata;
    if ("slug" in change) Object.assign(metadata, change);
    else for (const invoice of app.stripe.invoices.values()) Object.assign(invoice, change);
    await app.deliverAll();
    assertEquals(await reconcile(app.deps), true);
    assertEquals(await grants(app), 0, JSON.stringify(change));
    const right = { status: "paid", currency: "usd" };
    for (const invoice of app.stripe.invoices.values()) Object.assign(invoice, right);
    Object.assign(metadata, { slug });
    await reconcileFor(app, 1, /^GET/);
    assertEquals(await grants(app), 1, JSON.stringify(change));
    assertEquals((await getPaymentFigures(app.deps)).doubtfulPayments, []);
  }
});

Deno.test("invariant 23: an invoice whose renewal names a one-time order grants nothing", async () => {
  await using app = await paidApp();
  const { slug } = await paidOrder(app, "boost-7", true);
  await app.json("/api/v1/promote", { json: { slug, tierId: "boost-7" } });
  const once = [...app.stripe.sessions.values()].at(-1)!.metadata as Record<string, string>;
  for (const { metadata } of app.stripe.subscriptions.values()) Object.assign(metadata, once);
  await app.deliverAll();
  assertEquals(await grants(app), 0);
  assertEquals((await getPaymentFigures(app.deps)).doubtfulPayments.length, 1);
});

Deno.test("a handled event is known by its id and isn't read from Stripe again", async () => {
  await using app = await paidApp();
  const { completed } = await paidOrder(app);
  await app.post(completed);
  const before = app.stripe.requests.length;
  assertEquals((await app.post(completed)).status, 200);
  assertEquals(app.stripe.requests.slice(before), []);
});

Deno.test("invariant 22: a hold with another amount, currency, kind or bid doesn't count until corrected", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amountCents: 1000 },
  });
  app.stripe.pay(app.sessionOf(body.checkoutUrl));
  const [intent] = app.stripe.intents.values();
  const right = { ...intent! };
  const bidCount = async () =>
    (await app.json(`/api/v1/auctions/${AUCTION_ID}`)).body.auction.bidCount;
  for (
    const change of [
      { amount: 1 },
      { currency: "jpy" },
      { capture_method: "automatic" },
      { metadata: { ...right.metadata, slug: "another" } },
    ]
  ) {
    Object.assign(intent!, right, change);
    await reconcileFor(app, 1, /^GET/);
    assertEquals(await bidCount(), 0, JSON.stringify(change));
  }
  const { alerts, doubtfulPayments } = await getPaymentFigures(app.deps);
  assertEquals([alerts.length, doubtfulPayments.length], [1, 1]);
  Object.assign(intent!, right);
  await app.deliverAll();
  assertEquals(await bidCount(), 1);
  assertEquals((await getPaymentFigures(app.deps)).doubtfulPayments, []);
});

Deno.test("a signed body that isn't an event, or a thin event, is rejected; an unknown event is accepted", async () => {
  await using app = await paidApp();
  const event = forged("balance.available", { object: "balance" });
  const known = { ...event, type: "checkout.session.completed" };
  const thin = {
    id: "evt_thin",
    object: "v2.core.event",
    type: "v1.checkout.session.completed",
    created: "2026-11-18T12:00:00.000Z",
    livemode: false,
    context: null,
    related_object: {
      id: "cs_1",
      type: "checkout.session",
      url: "/v1/checkout/sessions/cs_1",
    },
  };
  for (
    const [body, status, code] of [
      ["no JSON", 400, "invalid_json"],
      ["null", 400, "invalid_json"],
      ["[]", 400, "invalid_json"],
      ["{}", 400, "invalid_input"],
      [JSON.stringify(thin), 400, "invalid_input"],
      [JSON.stringify({ ...event, livemode: undefined }), 400, "invalid_input"],
      [JSON.stringify({ ...known, data: undefined }), 400, "invalid_input"],
      [JSON.stringify({ ...known, data: { object: null } }), 400, "invalid_input"],
      [JSON.stringify({ ...known, data: { object: { id: 5 } } }), 400, "invalid_input"],
      [JSON.stringify(event), 200, undefined],
    ] as const
  ) {
    const headers = { "stripe-signature": signature(body, TEST_SECRET, app.clock.now()) };
    const answer = await app.json("/api/stripe/webhook", { method: "POST", headers, body });
    assertEquals([answer.status, answer.body.error?.code], [status, code], body);
  }
  assertEquals((await getPaymentFigures(app.deps)).alerts, []);
});

/** Runs the reconciliation every ten minutes; returns how many matching requests it made to Stripe. */
async function reconcileFor(app: PaidApp, hours: number, asked: RegExp): Promise<number> {
  const before = app.stripe.requests.length;
  for (let i = 0; i < hours * 6; i++) {
    app.clock.advance(10 * MINUTE_MS);
    await reconcile(app.deps);
  }
  return app.stripe.requests.slice(before).filter((request) => asked.test(request)).length;
}

for (
  const [what, spoil, asked] of [
    ["session", (app: PaidApp, session: string) => {
      app.stripe.sessions.get(session)!.amount_total = 1;
    }, /^GET \/v1\/checkout\/sessions\/cs_/],
    ["subscription", (app: PaidApp) => {
      for (const { metadata } of app.stripe.subscriptions.values()) metadata.slug = "another";
    }, /^GET \/v1\/(checkout\/sessions|subscriptions)\/(cs|sub)_/],
    ["invoice", (app: PaidApp) => {
      for (const invoice of app.stripe.invoices.values()) invoice.total = 1;
    }, /^GET \/v1\/invoices\/in_/],
  ] as [string, (app: PaidApp, session: string) => void, RegExp][]
) {
  Deno.test(`a mismatched ${what} is rechecked for a day, then left to the operator, whose retry can grant it`, async () => {
    await using app = await paidApp();
    const renews = what !== "session";
    const { session, slug } = await paidOrder(app, renews ? "boost-7" : "bump-3", renews);
    const whole = structuredClone({
      sessions: [...app.stripe.sessions],
      subscriptions: [...app.stripe.subscriptions],
      invoices: [...app.stripe.invoices],
    });
    spoil(app, session);
    assert(await reconcileFor(app, 23, asked) >= 23);
    let { doubtfulPayments } = await getPaymentFigures(app.deps);
    assertEquals(doubtfulPayments.map((doubt) => [doubt.slug, doubt.needsAttention])[0], [
      slug,
      false,
    ]);
    await reconcileFor(app, 26, asked);
    ({ doubtfulPayments } = await getPaymentFigures(app.deps));
    assertEquals(doubtfulPayments[0]!.needsAttention, true);
    assertEquals(await reconcileFor(app, 24, asked), 0, "given up, but still checked");
    assertEquals(await grants(app), 0);

    for (const [id, object] of whole.sessions) app.stripe.sessions.set(id, object);
    for (const [id, object] of whole.subscriptions) app.stripe.subscriptions.set(id, object);
    for (const [id, object] of whole.invoices) app.stripe.invoices.set(id, object);
    assertEquals(await retryDoubts(app.deps), doubtfulPayments.length);
    await reconcileFor(app, 1 / 6, asked);
    assertEquals(await grants(app), 1);
    assertEquals((await getPaymentFigures(app.deps)).doubtfulPayments, []);
  });
}

Deno.test("a mismatch found by a clock that was later set back is left to the operator immediately", async () => {
  await using app = await paidApp();
  const { session, completed } = await paidOrder(app);
  app.stripe.sessions.get(session)!.amount_total = 1;
  app.clock.advance(30 * DAY_MS);
  await app.post(completed);
  app.clock.advance(-30 * DAY_MS);
  const [doubt] = (await getPaymentFigures(app.deps)).doubtfulPayments;
  assertEquals(doubt!.needsAttention, true);
});

Deno.test("a retried payment whose checkout lost its session is found again", async () => {
  await using app = await paidApp();
  const { session, completed } = await paidOrder(app);
  const whole = structuredClone(app.stripe.sessions.get(session)!);
  app.stripe.sessions.get(session)!.amount_total = 1;
  assertEquals((await app.post(completed)).status, 200);
  const [doubt] = (await getPaymentFigures(app.deps)).doubtfulPayments;
  // From now on, it is too old to be among the sessions that are searched.
  app.clock.advance(26 * HOUR_MS);
  assertEquals(await reconcile(app.deps), true);
  await app.deps.store.transact(async (tx) => {
    const { value } = await tx.get<Checkout>(paymentKeys.checkout(doubt!.checkoutId));
    writeCheckout(tx, { ...value!, status: "failed", sessionId: null, url: null });
  });
  app.stripe.sessions.set(session, whole);
  assertEquals(await retryDoubts(app.deps), 1);
  assertEquals([await reconcile(app.deps), await reconcile(app.deps)], [true, true]);
  assertEquals(await grants(app), 1);
});

Deno.test("a webhook during a Stripe failure returns an error, so that Stripe resends it", async () => {
  await using app = await paidApp();
  const { slug, completed } = await paidOrder(app);
  app.stripe.fail("lost_before", /^GET/);
  assertEquals((await app.post(completed)).status, 502);
  assertEquals(await isPromoted(app, slug), false);
  assertEquals((await app.post(completed)).status, 200);
  assertEquals(await isPromoted(app, slug), true);
});

Deno.test("a hold whose charge doesn't say how long it lasts still leads", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const card = { brand: "visa", last4: "4242" };
  const charges: (Charge["payment_method_details"] | undefined)[] = [
    undefined,
    null,
    { type: "link" },
    { type: "card", card },
  ];
  for (const [i, details] of charges.entries()) {
    const amountCents = 1000 * (i + 1);
    const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
      json: { slug, amountCents },
    });
    const session = app.sessionOf(body.checkoutUrl);
    app.stripe.pay(session);
    const intent = app.stripe.intents.get(app.stripe.sessions.get(session)!.payment_intent!)!;
    const charge = app.stripe.charges.get(intent.latest_charge as string)!;
    if (details === undefined) intent.latest_charge = null;
    else charge.payment_method_details = details;
    await app.deliverAll();
    const { auction } = (await app.json(`/api/v1/auctions/${AUCTION_ID}`)).body;
    assertEquals(auction.highBidCents, amountCents, JSON.stringify(details));
  }
});

Deno.test("a payment without a Stripe customer is granted", async () => {
  await using app = await paidApp();
  const { slug, session } = await paidOrder(app);
  app.stripe.sessions.get(session)!.customer = null;
  await app.deliverAll();
  assertEquals(await isPromoted(app, slug), true);
  assertEquals((await app.deps.store.get(promotionKeys.billing(slug))).value, null);
});

Deno.test("events have the same result in any order", async () => {
  await using app = await paidApp();
  const { slug } = await paidOrder(app, "boost-7", true);
  for (const event of app.stripe.undelivered().toReversed()) {
    assertEquals((await app.post(event)).status, 200, event.type);
  }
  assertEquals(await grants(app), 1);
  assertEquals(await isPromoted(app, slug), true);
});

Deno.test("invariant 23: a session with an unknown mode grants nothing in addition to its invoice", async () => {
  await using app = await paidApp();
  const { session } = await paidOrder(app, "boost-7", true);
  app.stripe.sessions.get(session)!.mode = "renewal" as "subscription";
  await app.deliverAll();
  assertEquals(await grants(app), 1);
});

Deno.test("the reconciliation finds sessions, invoices and holds that no webhook reported", async () => {
  await using app = await paidApp();
  const { slug } = await paidOrder(app);
  const renewal = await paidOrder(app, "boost-7", true);
  const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amountCents: 1000 },
  });
  app.stripe.pay(app.sessionOf(body.checkoutUrl));
  app.clock.advance(10 * MINUTE_MS);
  assertEquals(await reconcile(app.deps), true);
  assertEquals(await isPromoted(app, slug), true);
  assertEquals(await isPromoted(app, renewal.slug), true);
  const auction = (await app.json(`/api/v1/auctions/${AUCTION_ID}`)).body.auction;
  assertEquals(auction.highBidCents, 1000);
  await app.deliverAll();
  assertEquals(await grants(app), 2);
});

Deno.test("a bad payment doesn't block the reconciliation of others, which reports that it is incomplete", async () => {
  await using app = await paidApp();
  const orders = [];
  for (let i = 0; i < 3; i++) orders.push(await paidOrder(app));
  const { orderId } = app.stripe.sessions.get(orders[1]!.session)!.metadata;
  const key = paymentKeys.checkout(orderId!);
  const { value } = await app.deps.store.get<object>(key);
  // A tier that this version doesn't know.
  await app.deps.store.transact((tx) => {
    tx.set(key, { ...value, tierId: "gone-1" });
  });
  app.stripe.sessions.get(orders[1]!.session)!.metadata.tierId = "gone-1";
  assertEquals(await reconcile(app.deps), false);
  assertEquals(await grants(app), 2);
});

Deno.test("a reconciliation that keeps failing stops after five of each part, and the next covers all", async () => {
  await using app = await paidApp();
  for (let i = 0; i < 7; i++) await paidOrder(app);
  const asked = () =>
    app.stripe.requests.filter((line) => /^GET .*sessions\/cs_/.test(line)).length;
  const before = asked();
  for (let i = 0; i < 20; i++) app.stripe.fail("http_500", /^GET .*sessions\/cs_/);
  assertEquals(await reconcile(app.deps), false);
  assertEquals(asked() - before, 10, "five by events, five by sessions");
  app.stripe.faults.length = 0;
  assertEquals(await reconcile(app.deps), true);
  assertEquals(await grants(app), 7);
});

Deno.test("a renewal canceled at Stripe is noticed within ten minutes, even without a webhook", async () => {
  await using app = await paidApp();
  const { slug } = await paidOrder(app, "spotlight-30", true);
  await app.deliverAll();
  await reconcile(app.deps);
  const json = { slug, tierId: "spotlight-30", autoRenew: true };
  assertEquals((await app.json("/api/v1/promote", { json })).status, 400);
  const [subscription] = app.stripe.subscriptions.keys();
  app.stripe.cancelSubscription(subscription!);
  await reconcileFor(app, 1 / 6, /^GET/);
  assertEquals((await app.json("/api/v1/promote", { json })).status, 200);
});

Deno.test("an event that Stripe lists late or dates by a slow clock is still found", async () => {
  await using app = await paidApp();
  await reconcileFor(app, 1 / 6, /^GET/);
  const { slug } = await paidOrder(app);
  for (const event of app.stripe.events) event.created -= 60;
  await reconcileFor(app, 1 / 6, /^GET/);
  assertEquals(await isPromoted(app, slug), true);
});

Deno.test("payments without any event at Stripe are found within an hour", async () => {
  await using app = await paidApp();
  await reconcile(app.deps);
  const { slug } = await paidOrder(app);
  const renewal = await paidOrder(app, "boost-7", true);
  const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amountCents: 1000 },
  });
  app.stripe.pay(app.sessionOf(body.checkoutUrl));
  app.stripe.events.length = 0;
  await reconcileFor(app, 1, /^GET/);
  assertEquals(await isPromoted(app, slug), true);
  assertEquals(await isPromoted(app, renewal.slug), true);
  const auction = (await app.json(`/api/v1/auctions/${AUCTION_ID}`)).body.auction;
  assertEquals(auction.highBidCents, 1000);
  const [intent] = app.stripe.intents.values().filter(({ capture_method }) =>
    capture_method === "manual"
  );
  app.stripe.cancelIntent(intent!.id, null);
  app.stripe.events.length = 0;
  await reconcileFor(app, 1, /^GET/);
  const { alerts } = await getPaymentFigures(app.deps);
  assertEquals(alerts.map(({ what }) => what), ["The hold for the leading bid ended at Stripe"]);
});

Deno.test("a renewal that ended at Stripe without an event is noticed within a day", async () => {
  await using app = await paidApp();
  const { slug } = await paidOrder(app, "boost-7", true);
  await app.deliverAll();
  await reconcile(app.deps);
  for (const id of app.stripe.subscriptions.keys()) app.stripe.cancelSubscription(id);
  app.stripe.events.length = 0;
  const live = () => app.deps.store.get(promotionKeys.byTier(slug, "boost-7"));
  assert((await live()).value !== null);
  app.clock.advance(DAY_MS);
  assert(await reconcile(app.deps));
  assertEquals((await live()).value, null);
});

Deno.test("a day of reconciliation stays within Stripe's read limit for a low-volume account", async () => {
  await using app = await paidApp();
  const { slug } = await paidOrder(app, "spotlight-30", true);
  await app.json("/api/v1/promote", { json: { slug, tierId: "bump-3" } });
  for (
    const [path, json] of [
      ["/api/v1/promote", { slug, tierId: "bump-3" }],
      [`/api/v1/auctions/${AUCTION_ID}/bids`, { slug, amountCents: 1000 }],
    ] as const
  ) {
    const { body } = await app.json(path, { json });
    app.stripe.pay(app.sessionOf(body.checkoutUrl), { delayed: path === "/api/v1/promote" });
  }
  await app.deliverAll();
  await reconcileFor(app, 24, /^GET/);
  // 10,000 reads a month, or 500 per payment if that is more.
  assert(await reconcileFor(app, 24, /^GET/) < 10_000 / 30);
});

Deno.test("the reconciliation lists once an hour if no link is open, nothing renews and no auction runs", async () => {
  await using app = await paidApp();
  await reconcile(app.deps);
  assertEquals(await reconcileFor(app, 24, /^GET/), 2 * 24);
  const { slug } = await paidOrder(app);
  for (const { id } of app.stripe.undelivered()) app.stripe.delivered.add(id);
  await reconcileFor(app, 1 / 6, /^GET/);
  assertEquals(await isPromoted(app, slug), true);
});

Deno.test("a renewal that Stripe collects two months late without a webhook is granted", async () => {
  await using app = await paidApp();
  const { slug } = await paidOrder(app, "spotlight-30", true);
  await app.deliverAll();
  const [subscription] = app.stripe.subscriptions.values();
  app.clock.set(subscription!.items.data[0]!.current_period_end * 1000);
  const invoice = app.stripe.renew(subscription!.id, { fails: true })!;
  for (const { id } of app.stripe.undelivered()) app.stripe.delivered.add(id);
  for (let day = 0; day < 60; day++) {
    app.clock.advance(DAY_MS);
    await reconcile(app.deps);
  }
  assertEquals(await grants(app), 1);
  Object.assign(invoice, { status: "paid", amount_paid: invoice.total });
  await reconcileFor(app, 1, /^GET/);
  assertEquals(await grants(app), 2);
  assertEquals(await isPromoted(app, slug), true);
});

Deno.test("payments are found within an hour even if a clock was a month ahead and was set back", async () => {
  await using app = await paidApp();
  const { slug } = await paidOrder(app, "boost-7", true);
  await app.deliverAll();
  const [subscription] = app.stripe.subscriptions.values();
  const invoice = app.stripe.renew(subscription!.id, { fails: true })!;
  app.stripe.cancelSubscription(subscription!.id);
  await app.deliverAll();
  const right = app.clock.now();
  app.clock.advance(30 * DAY_MS);
  await reconcile(app.deps);
  app.clock.set(right + HOUR_MS);
  Object.assign(invoice, { status: "paid", amount_paid: invoice.total });
  await reconcilePayments(app.deps);
  assertEquals(await grants(app), 2);
  assertEquals(await isPromoted(app, slug), true);
});

Deno.test("other sites' sales under the same account are ignored, without reading their invoices", async () => {
  await using app = await paidApp();
  const { session } = await paidOrder(app, "boost-7", true);
  const [invoice] = app.stripe.invoices.values();
  const details = invoice!.parent.subscription_details;
  const told = app.stripe.events.map(({ data }) => data.object as Partial<Invoice>);
  const sold: { metadata?: Metadata }[] = [
    app.stripe.sessions.get(session)!,
    app.stripe.subscriptions.get(details.subscription)!,
    details,
    ...told.map((object) => object.parent?.subscription_details ?? object),
  ];
  for (const metadata of [{ plan: "pro" }, { orderId: "ord_of_another_site" }] as Metadata[]) {
    for (const object of sold) object.metadata = metadata;
    assertEquals(await reconcileFor(app, 1, /^GET \/v1\/(invoices|subscriptions)\/(in|sub)_/), 0);
    for (const event of app.stripe.events) {
      assertEquals((await app.post(event)).status, 200, event.type);
    }
  }
  // The invoice of a one-time sale has no subscription.
  Object.assign(invoice!, { parent: null });
  const paid = forged("invoice.paid", { ...invoice });
  assertEquals((await app.post(paid)).status, 200);
  app.clock.advance(HOUR_MS);
  assertEquals(await reconcile(app.deps), true);
  assertEquals(await grants(app), 0);
});

for (const way of ["webhook", "reconciliation"] as const) {
  Deno.test(`the ${way} alerts about payments for orders missing from a restored backup, not other sites'`, async () => {
    await using app = await paidApp();
    const { kv } = app.deps.store;
    const { slug } = await paidOrder(app);
    await app.deliverAll();
    await reconcile(app.deps);
    const backup = await Array.fromAsync(kv.list({ prefix: ["checkouts"] }), ({ key }) => key[1]);

    const { session } = await paidOrder(app);
    await paidOrder(app, "boost-7", true);
    const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
      json: { slug, amountCents: 1000 },
    });
    app.stripe.pay(app.sessionOf(body.checkoutUrl));
    await app.json("/api/v1/promote", { json: { slug, tierId: "bump-3" } });
    const stranger = await paidOrder(app);
    app.stripe.sessions.get(stranger.session)!.success_url = "http://projectory.test.example/paid";
    for await (const { key } of kv.list({ prefix: ["checkouts"] })) {
      if (!backup.includes(key[1])) {
        await app.deps.store.transact((tx) => tx.delete(key));
      }
    }

    if (way === "webhook") await app.deliverAll();
    for (let i = 0; i < 2; i++) {
      app.clock.advance(HOUR_MS);
      assertEquals(await reconcile(app.deps), true);
    }
    const { alerts } = await getPaymentFigures(app.deps);
    const unknown = "A payment is for an order that is not in this database";
    assertEquals(alerts.map(({ what }) => what), Array(3).fill(unknown));
    const objects = alerts.map(({ details }) => details.object);
    assert(objects.includes(session));
    assertEquals(await grants(app), 1);
  });
}

Deno.test("the operator's figures show the last webhook's age, open holds and stuck operations", async () => {
  await using app = await paidApp();
  const { slug, completed } = await paidOrder(app);
  await app.post(completed);
  const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amountCents: 1000 },
  });
  app.stripe.pay(app.sessionOf(body.checkoutUrl));
  await app.deliverAll();
  const outbid = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amountCents: 2000 },
  });
  app.stripe.pay(app.sessionOf(outbid.body.checkoutUrl));
  for (let i = 0; i < 12; i++) app.stripe.fail("http_500", /cancel$/);
  await app.deliverAll();
  app.clock.advance(HOUR_MS);
  const { repeatOperations } = await import("@/lib/payments/operation_runner.ts");
  assertEquals((await getPaymentFigures(app.deps)).stuckOperations, [], "it has just failed");
  for (let i = 0; i < 5; i++) {
    await repeatOperations(app.deps);
    app.clock.advance(HOUR_MS);
  }
  const figures = await getPaymentFigures(app.deps);
  assertEquals(figures.lastWebhookAgeSeconds, 6 * 3600);
  const captureBefore = new Date(AUCTION_NOW + 7 * DAY_MS).toISOString();
  assertEquals(
    figures.openHolds.map((h) => [h.slug, h.totalCents, h.captureBefore, h.endsTooSoon]),
    [[slug, 2091, captureBefore, false]],
  );
  assertEquals(figures.stuckOperations.map((operation) => operation.kind), ["release"]);
  app.stripe.faults.length = 0;
  app.clock.advance(HOUR_MS);
  await repeatOperations(app.deps);
  assertEquals((await getPaymentFigures(app.deps)).waitingOperations, 0);
});
