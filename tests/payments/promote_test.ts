import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type Stripe from "stripe";
import { TIERS } from "@/lib/catalog/tiers.ts";
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "@/lib/clock.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { getPaymentFigures } from "@/lib/operator/payment_figures.ts";
import type { StripeDeps } from "@/lib/payments/deps.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { paymentKeys } from "@/lib/payments/keys.ts";
import { repeatOperations } from "@/lib/payments/operation_runner.ts";
import { expireUselessLinks, reconcile } from "@/lib/payments/reconcile.ts";
import { createStripe } from "@/lib/payments/stripe.ts";
import { promotionKeys } from "@/lib/promotions/keys.ts";
import { applyOrderNews } from "@/lib/promotions/order_news.ts";
import { COLLECTED_WITHIN_MS } from "@/lib/promotions/renewals.ts";
import type { PromotionCheckout } from "@/lib/promotions/schema.ts";
import type { PromotionBalance } from "@/lib/promotions/time.ts";
import { setSwitches } from "@/lib/switches.ts";
import { testApp } from "../support/app.ts";
import { addressOf, invalidFields, submit } from "../support/listings.ts";
import { AUCTION_ID, AUCTION_NOW, type PaidApp, paidApp } from "../support/payments.ts";
import { buy, endOf } from "../support/promotions.ts";
import { TEST_KEY } from "../support/stripe_double.ts";
import { until } from "../support/until.ts";

let caller = 0;

async function order(app: PaidApp, body: Record<string, unknown>, headers = {}) {
  return await app.json("/api/v1/promote", { json: body, address: addressOf(++caller), headers });
}

async function promotionOf(app: PaidApp, slug: string) {
  return (await app.json(`/api/v1/projects/${slug}`)).body.project;
}

async function hide(app: PaidApp, slug: string) {
  await moveListing(app.deps, { slug, step: "hide" });
  await repeatOperations(app.deps);
}

Deno.test("GET /promote returns every tier with the contract's prices, and how many are featured", async () => {
  await using app = await paidApp();
  const { body } = await app.json("/api/v1/promote");
  assertEquals(body.paymentsOpen, true);
  assertEquals(
    body.tiers.map((t: Record<string, unknown>) => [
      t.id,
      t.days,
      t.currency,
      t.amountCents,
      t.feeCents,
      t.totalCents,
      t.price,
      t.fee,
      t.total,
      t.autoRenew,
    ]),
    [
      ["bump-3", 3, "usd", 500, 46, 546, "$5.00", "$0.46", "$5.46", null],
      ["boost-7", 7, "usd", 900, 58, 958, "$9.00", "$0.58", "$9.58", "week"],
      ["spotlight-30", 30, "usd", 2500, 106, 2606, "$25.00", "$1.06", "$26.06", "month"],
    ],
  );
  const strip = "Featured strip and ticker on the home page";
  const bump = [strip, "promoted: true in the API, MCP and llms.txt"];
  const boost = [...bump, "Accent glow", "A place under Promoted in llms.txt"];
  const spotlight = [
    ...boost,
    "First in the lists that agents read (trending, where_to_promote)",
  ];
  assertEquals(body.tiers.map((t: { perks: string[] }) => t.perks), [bump, boost, spotlight]);
  assertEquals([body.maxFeaturedSlots, body.featuredNow], [12, 0]);
  assertEquals(
    body.notice,
    "All sales are final. Promotions are non-refundable once purchased, including when a listing is " +
      "later removed for breaking the terms.",
  );
  assertStringIncludes(body.feeNotice, "Totals include a processing fee");
  assertStringIncludes(body.howTo, "POST /api/v1/promote");
  assertEquals(body.terms, "http://projectory.test/terms");
  const { promotion } = (await app.json("/api/v1/meta")).body;
  const { paymentsOpen, salesFinalNotice, feeNotice, tiers, howToBuy } = promotion;
  const { notice, howTo, ...offer } = body;
  assertEquals([paymentsOpen, tiers, feeNotice], [true, offer.tiers, offer.feeNotice]);
  assertEquals([salesFinalNotice, howToBuy], [notice, howTo]);
});

Deno.test("POST /promote rejects bad input with the contract's codes, without calling Stripe", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { project: { slug: hidden } } = await submit(app);
  await hide(app, hidden);
  for (
    const [body, status, code, field] of [
      [{ slug, tierId: "gold" }, 400, "unknown_tier"],
      [{ slug, tierId: "bump-3", autoRenew: true }, 400, "invalid_input", "autoRenew"],
      [{ slug, tierId: "boost-7", autoRenew: "yes" }, 400, "invalid_input", "autoRenew"],
      [{ slug }, 400, "invalid_input", "tierId"],
      [{ tierId: "boost-7" }, 400, "invalid_input", "slug"],
      [{ slug: "nobody", tierId: "boost-7" }, 404, "not_found"],
      [{ slug: hidden, tierId: "boost-7" }, 404, "not_found"],
      [[], 400, "invalid_json"],
    ] as const
  ) {
    const answer = await app.json("/api/v1/promote", { json: body, address: addressOf(++caller) });
    assertEquals([answer.status, answer.body.error.code], [status, code], JSON.stringify(body));
    if (field) assertEquals(answer.body.error.details[0].field, field);
    if (status === 404) {
      assertMatch(answer.body.error.message, /^No project has this slug/);
    }
  }
  assertEquals(app.stripe.requests, []);
});

Deno.test("unknown_tier lists the existing tiers", async () => {
  await using app = await paidApp();
  const { body } = await app.json("/api/v1/promote", { json: { slug: "inkwell", tierId: "gold" } });
  assertEquals(body.error.details, {
    tierId: "gold",
    tierIds: ["bump-3", "boost-7", "spotlight-30"],
  });
});

Deno.test("a paid order promotes from now for its days, is labeled, and buying again adds time", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await buy(app, slug, "boost-7");
  const project = await promotionOf(app, slug);
  assertEquals([project.promoted, project.sponsored, project.placement], [true, false, null]);
  assertEquals(project.promotion, {
    tierId: "boost-7",
    name: "Boost",
    endsAt: isoTime(AUCTION_NOW + 7 * DAY_MS),
  });
  assertEquals((await app.json("/api/v1/promote")).body.featuredNow, 1);
  await submit(app);
  const { projects } = (await app.json("/api/v1/projects?promoted=1")).body;
  assertEquals(projects.map((p: { slug: string }) => p.slug), [slug]);
  app.clock.advance(DAY_MS);
  await buy(app, slug, "boost-7");
  assertEquals((await promotionOf(app, slug)).promotion.endsAt, isoTime(AUCTION_NOW + 14 * DAY_MS));
  app.clock.set(AUCTION_NOW + 14 * DAY_MS);
  assertEquals((await promotionOf(app, slug)).promoted, false);
});

Deno.test("the highest of several tiers shows, and the others' time is kept", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await buy(app, slug, "bump-3");
  await buy(app, slug, "spotlight-30");
  assertEquals((await promotionOf(app, slug)).promotion.tierId, "spotlight-30");
  app.clock.advance(31 * DAY_MS);
  const { promotion } = await promotionOf(app, slug);
  assertEquals(promotion.tierId, "bump-3");
  assertEquals(promotion.endsAt, isoTime(AUCTION_NOW + 33 * DAY_MS));
});

Deno.test("invariant 23: a renewal is granted only by its invoices, and a month lasts to its period's end", async () => {
  await using app = await paidApp({ now: Date.parse("2026-12-16T12:00:00Z") });
  const { project: { slug } } = await submit(app);
  await buy(app, slug, "spotlight-30", true);
  const [subscription] = app.stripe.subscriptions.values();
  // December 16 to January 16 is 31 days, and all of them are paid for.
  assertEquals((await promotionOf(app, slug)).promotion.endsAt, "2027-01-16T14:00:00.000Z");
  app.clock.set(Date.parse("2027-01-16T11:59:00Z"));
  app.stripe.renew(subscription!.id);
  // A proration line that ends after the period doesn't count as paid.
  const { lines } = [...app.stripe.invoices.values()].at(-1)!;
  const [line] = structuredClone(lines.data);
  line!.parent.subscription_item_details.proration = true;
  line!.period.end += 10 * DAY_MS / 1000;
  lines.data.push(line!);
  await app.deliverAll();
  assertEquals((await promotionOf(app, slug)).promotion.endsAt, "2027-02-16T14:00:00.000Z");
  app.stripe.renew(subscription!.id, { fails: true });
  await app.deliverAll();
  assertEquals((await promotionOf(app, slug)).promotion.endsAt, "2027-02-16T14:00:00.000Z");
  app.stripe.cancelSubscription(subscription!.id);
  await app.deliverAll();
  assertEquals((await promotionOf(app, slug)).promoted, true);
});

for (const [tierId, days, periods] of [["boost-7", 7, 3], ["spotlight-30", 31, 1]] as const) {
  Deno.test(`${tierId} that renews has no gap while Stripe collects the next period an hour late`, async () => {
    const start = Date.parse("2026-12-16T12:00:00Z");
    await using app = await paidApp({ now: start });
    const { project: { slug } } = await submit(app);
    await buy(app, slug, tierId, true);
    const [subscription] = app.stripe.subscriptions.values();
    for (let period = 1; period <= periods; period++) {
      app.clock.set(start + period * days * DAY_MS + HOUR_MS - 1);
      assertEquals((await promotionOf(app, slug)).promoted, true);
      app.clock.advance(1);
      app.stripe.renew(subscription!.id);
      await app.deliverAll();
      const ended = start + (period + 1) * days * DAY_MS;
      const { promotion } = await promotionOf(app, slug);
      assertEquals(promotion.endsAt, isoTime(ended + COLLECTED_WITHIN_MS));
    }
  });
}

Deno.test("a listing has one renewal per tier: a second is refused, or canceled if already paid", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const first = (await order(app, { slug, tierId: "boost-7", autoRenew: true })).body.checkoutUrl;
  const second = (await order(app, { slug, tierId: "boost-7", autoRenew: true })).body.checkoutUrl;
  for (const url of [first, second]) app.stripe.pay(app.sessionOf(url));
  await app.deliverAll();
  const live = [...app.stripe.subscriptions.values()].filter((s) => s.status === "active");
  assertEquals(live.length, 1);
  assertEquals(
    (await promotionOf(app, slug)).promotion.endsAt,
    isoTime(AUCTION_NOW + 14 * DAY_MS + COLLECTED_WITHIN_MS),
  );
  const third = await order(app, { slug, tierId: "boost-7", autoRenew: true });
  assertEquals([third.status, third.body.error.details[0].field], [400, "autoRenew"]);
  assertMatch(third.body.error.details[0].message, /Use the billing portal to change the card/);
  assertEquals((await order(app, { slug, tierId: "boost-7" })).status, 200);
});

Deno.test("a second renewal stays active if the first has ended, in either order of events", async () => {
  for (const isReversed of [false, true]) {
    await using app = await paidApp();
    const { project: { slug } } = await submit(app);
    const linkOf = async () =>
      app.sessionOf(
        (await order(app, { slug, tierId: "boost-7", autoRenew: true })).body.checkoutUrl,
      );
    const [first, second] = [await linkOf(), await linkOf()];
    app.stripe.pay(first);
    await app.deliverAll();
    const [ended] = app.stripe.subscriptions.keys();
    app.stripe.cancelSubscription(ended!);
    app.stripe.pay(second);
    const events = app.stripe.undelivered();
    for (const event of isReversed ? events.reverse() : events) await app.post(event);
    const [, lives] = app.stripe.subscriptions.values();
    assertEquals(lives!.status, "active");
    const { value } = await app.deps.store.get(promotionKeys.byTier(slug, "boost-7"));
    assertEquals(value, lives!.id);
  }
});

Deno.test("an Idempotency-Key whose order failed makes no renewal once another is active", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const send = () =>
    app.json("/api/v1/promote", {
      json: { slug, tierId: "boost-7", autoRenew: true },
      headers: { "Idempotency-Key": "failed" },
    });
  app.stripe.fail("http_402", /POST/);
  assertEquals((await send()).status, 502);
  await buy(app, slug, "boost-7", true);
  const { status, body } = await send();
  assertEquals([status, body.error?.details[0].field], [400, "autoRenew"]);
  assertEquals(app.stripe.sessions.size, 1);
});

Deno.test("a clock set back after the payment hides no promotion", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await buy(app, slug, "bump-3");
  app.clock.advance(-HOUR_MS);
  assertEquals((await promotionOf(app, slug)).promotion?.tierId, "bump-3");
});

Deno.test("hiding a listing cancels its renewal immediately, shows no promotion and keeps its time", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await buy(app, slug, "boost-7", true);
  await hide(app, slug);
  await app.deliverAll();
  assertEquals([...app.stripe.subscriptions.values()][0]!.status, "canceled");
  assertEquals((await getPaymentFigures(app.deps)).waitingOperations, 0);
  assertEquals((await app.json("/api/v1/promote")).body.featuredNow, 0);
  assertEquals((await app.json("/api/v1/trending")).body.promoted, []);
  const { value } = await app.deps.store.get<PromotionBalance>(promotionKeys.one(slug));
  assertEquals(endOf(value!), AUCTION_NOW + 7 * DAY_MS + COLLECTED_WITHIN_MS);
});

Deno.test("a renewal paid while its listing is being hidden is canceled, and its time is kept", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { body } = await order(app, { slug, tierId: "boost-7", autoRenew: true });
  app.stripe.pay(app.sessionOf(body.checkoutUrl));
  await hide(app, slug);
  await app.deliverAll();
  assertEquals([...app.stripe.subscriptions.values()][0]!.status, "canceled");
  const { value } = await app.deps.store.get<PromotionBalance>(promotionKeys.one(slug));
  assertEquals(endOf(value!), AUCTION_NOW + 7 * DAY_MS + COLLECTED_WITHIN_MS);
});

Deno.test("a renewal known only from an invoice, as after a restore, is canceled when its listing is hidden", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { body } = await order(app, { slug, tierId: "boost-7", autoRenew: true });
  app.stripe.pay(app.sessionOf(body.checkoutUrl));
  await app.post(app.stripe.events.find(({ type }) => type === "invoice.paid")!);
  await hide(app, slug);
  assertEquals([...app.stripe.subscriptions.values()][0]!.status, "canceled");
});

Deno.test("a renewal already seen as canceled isn't revived by an older read", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await order(app, { slug, tierId: "boost-7", autoRenew: true });
  const { store } = app.deps;
  const [checkout] = await Array.fromAsync(
    store.list<PromotionCheckout>({ prefix: ["checkouts"] }),
  );
  for (const status of ["canceled", "active"]) {
    await applyOrderNews(app.deps as StripeDeps, {
      order: checkout!.value,
      subscription: { id: "sub_1", customer: "cus_1", status } as Stripe.Subscription,
      cause: null,
    });
  }
  assertEquals((await store.get(promotionKeys.byTier(slug, "boost-7"))).value, null);
});

Deno.test("one-letter and oversized slugs are not_found, and an oversized tier is unknown_tier", async () => {
  await using app = await paidApp();
  const bids = `/api/v1/auctions/${AUCTION_ID}/bids`;
  for (const path of ["/api/v1/promote", "/api/v1/billing/portal", bids]) {
    const answer = async (slug: string) => {
      const json = { slug, tierId: "bump-3", amountCents: 1000 };
      return (await app.json(path, { json })).body.error.code;
    };
    assertEquals(await answer("x"), "not_found", path);
    assertEquals(await answer("x".repeat(3_000)), "not_found", path);
  }
  const { project: { slug } } = await submit(app);
  const { body } = await app.json("/api/v1/promote", { json: { slug, tierId: "b".repeat(101) } });
  assertEquals(body.error.code, "unknown_tier");
});

Deno.test("hiding a listing doesn't try forever to cancel a renewal whose first payment never came", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await buy(app, slug, "boost-7", true);
  const [subscription] = app.stripe.subscriptions.values();
  subscription!.status = "incomplete_expired";
  await hide(app, slug);
  assertEquals((await getPaymentFigures(app.deps)).waitingOperations, 0);
});

Deno.test("hiding a listing expires its payment links, even one whose response was lost", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { project: other } = await submit(app);
  const linkOf = async (slug: string, tierId: string, autoRenew?: boolean) =>
    app.sessionOf((await order(app, { slug, tierId, autoRenew })).body.checkoutUrl);
  const open = await linkOf(slug, "bump-3");
  const renewing = await linkOf(slug, "boost-7", true);
  const bids = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amountCents: 1000 },
  });
  const bidding = app.sessionOf(bids.body.checkoutUrl);
  const others = await linkOf(other.slug, "bump-3");
  app.stripe.fail("lost_after");
  assertEquals((await order(app, { slug, tierId: "bump-3" })).body.error.code, "stripe_error");
  const lost = [...app.stripe.sessions.keys()].at(-1)!;
  await buy(app, slug, "spotlight-30");
  await hide(app, slug);
  app.clock.advance(3 * MINUTE_MS);
  assert(await reconcile(app.deps));
  assert(await reconcile(app.deps));
  const statusOf = (session: string) => app.stripe.sessions.get(session)!.status;
  for (const session of [open, renewing, bidding, lost]) {
    assertEquals([statusOf(session), app.stripe.pay(session)], ["expired", false]);
  }
  assertEquals(statusOf(others), "open");
  await app.deliverAll();
  const { value } = await app.deps.store.get<PromotionBalance>(promotionKeys.one(slug));
  assertEquals(endOf(value!), AUCTION_NOW + 30 * DAY_MS);
});

Deno.test("a listing hidden while Stripe makes its link gets none, and the session is expired", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  app.stripe.latency = () => hide(app, slug);
  const { body } = await order(app, { slug, tierId: "bump-3" });
  assertEquals(body.error.code, "stripe_no_url");
  app.stripe.latency = () => Promise.resolve();
  await settlePayments(app.deps);
  assertEquals([...app.stripe.sessions.values()].map(({ status }) => status), ["expired"]);
});

for (const autoRenew of [false, true]) {
  const what = autoRenew ? "a renewal" : "an order";
  Deno.test(`${what} with a delayed payment is granted once it succeeds, and not if it fails`, async () => {
    await using app = await paidApp();
    for (const succeeds of [false, true]) {
      const { project: { slug } } = await submit(app);
      const { body } = await order(app, { slug, tierId: "boost-7", autoRenew });
      const session = app.sessionOf(body.checkoutUrl);
      app.stripe.pay(session, { delayed: true });
      await app.deliverAll();
      assertEquals((await promotionOf(app, slug)).promoted, false);
      app.stripe.settle(session, succeeds);
      await app.deliverAll();
      assertEquals((await promotionOf(app, slug)).promoted, succeeds);
    }
  });
}

Deno.test("a retried order keeps its new link, however late the first payment's failure is reported", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const send = async () => {
    const { body } = await app.json("/api/v1/promote", {
      json: { slug, tierId: "bump-3" },
      headers: { "Idempotency-Key": "again" },
    });
    return app.sessionOf(body.checkoutUrl);
  };
  const first = await send();
  app.stripe.pay(first, { delayed: true });
  app.stripe.settle(first, false);
  const [completed, failed] = app.stripe.undelivered()
    .filter(({ type }) => type.startsWith("checkout.session."));
  await app.post(failed!);
  app.stripe.latency = async () => {
    app.stripe.latency = () => Promise.resolve();
    // The same failure under another id, while Stripe makes the new link.
    await app.post({ ...failed!, id: "evt_late" });
  };
  const second = await send();
  assert(second !== first);
  await app.post(completed!);
  app.clock.advance(HOUR_MS);
  assert(await reconcile(app.deps));
  const id = app.stripe.sessions.get(second)!.client_reference_id!;
  const { value } = await app.deps.store.get<PromotionCheckout>(paymentKeys.checkout(id));
  assertEquals([value!.status, value!.sessionId, value!.isPaying], ["open", second, false]);
  // So its link ends with the listing.
  await hide(app, slug);
  await expireUselessLinks(app.deps);
  assertEquals(app.stripe.sessions.get(second)!.status, "expired");
});

for (const delayed of ["processing", "requires_action"] as const) {
  Deno.test(`a payment that is ${delayed} for days is granted once paid, even without a webhook`, async () => {
    await using app = await paidApp();
    const { project: { slug } } = await submit(app);
    const { body } = await order(app, { slug, tierId: "bump-3" });
    const session = app.sessionOf(body.checkoutUrl);
    app.stripe.pay(session, { delayed });
    await app.deliverAll();
    for (let day = 0; day < 9; day++) {
      app.clock.advance(DAY_MS);
      assert(await reconcile(app.deps));
    }
    assertEquals((await promotionOf(app, slug)).promoted, false);
    app.stripe.settle(session, true);
    app.clock.advance(10 * MINUTE_MS);
    assert(await reconcile(app.deps));
    await app.deps.placements.caughtUp();
    assertEquals((await promotionOf(app, slug)).promoted, true);
  });
}

Deno.test("a payment that is never completed isn't polled forever", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { body } = await order(app, { slug, tierId: "bump-3" });
  const session = app.sessionOf(body.checkoutUrl);
  app.stripe.pay(session, { delayed: "requires_action" });
  await app.deliverAll();
  app.clock.advance(15 * DAY_MS);
  assert(await reconcile(app.deps));
  const asked = () => app.stripe.requests.filter((line) => line.includes(session)).length;
  const before = asked();
  app.clock.advance(2 * DAY_MS);
  assert(await reconcile(app.deps));
  app.clock.advance(2 * DAY_MS);
  assert(await reconcile(app.deps));
  assertEquals(asked(), before);
  // If the money comes after all, it is granted.
  app.stripe.settle(session, true);
  await app.deliverAll();
  assertEquals((await promotionOf(app, slug)).promoted, true);
});

Deno.test("an order that never reached Stripe isn't searched for forever", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  app.stripe.fail("lost_before");
  assertEquals((await order(app, { slug, tierId: "bump-3" })).body.error.code, "stripe_error");
  const asked: number[] = [];
  for (let run = 0; run < 3; run++) {
    app.clock.advance(2 * MINUTE_MS);
    assert(await reconcile(app.deps));
    asked.push(app.stripe.requests.filter((line) => line === "GET /v1/checkout/sessions").length);
  }
  assertEquals(asked, [1, 2, 2], "once for the hourly check, once for the order");
});

Deno.test("an order whose response was lost ends even if the clock was a month ahead when it was made", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { deps, clock } = app;
  clock.advance(30 * DAY_MS);
  app.stripe.fail("lost_before");
  assertEquals((await order(app, { slug, tierId: "bump-3" })).status, 502);
  clock.advance(HOUR_MS - 30 * DAY_MS);
  assert(await reconcile(deps));
  assertEquals(await Array.fromAsync(deps.store.list({ prefix: paymentKeys.openCheckouts })), []);
});

Deno.test("invariant 30: 100 purchases at once are all granted in full, and 12 are featured", async () => {
  await using app = await paidApp();
  const slugs: string[] = [];
  for (let i = 0; i < 25; i++) slugs.push((await submit(app)).project.slug);
  const urls = await Promise.all(Array.from({ length: 100 }, async (_, i) => {
    const { body } = await order(app, { slug: slugs[i % 25]!, tierId: "bump-3" });
    return body.checkoutUrl as string;
  }));
  for (const url of urls) app.stripe.pay(app.sessionOf(url));
  const events = app.stripe.undelivered();
  await Promise.all(events.map((event) => app.post(event)));
  await app.deliverAll();
  for (const slug of slugs) {
    const { promotion } = await promotionOf(app, slug);
    assertEquals(promotion.endsAt, isoTime(AUCTION_NOW + 12 * DAY_MS));
  }
  assertEquals((await app.json("/api/v1/promote")).body.featuredNow, 12);
  assertEquals((await app.json("/api/v1/trending?limit=25")).body.promoted.length, 12);
});

Deno.test("the 21st link of a network in an hour is refused, and invalid orders don't count", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const send = (tierId: string) =>
    app.json("/api/v1/promote", { json: { slug, tierId }, address: "203.0.113.99" });
  for (let i = 0; i < 20; i++) assertEquals((await send("bump-3")).status, 200);
  assertEquals((await send("gold")).body.error.code, "unknown_tier");
  const refused = await send("bump-3");
  assertEquals([refused.status, refused.body.error.code], [429, "rate_limited"]);
  assert(refused.headers.has("retry-after"));
  app.clock.advance(HOUR_MS - 1);
  assertEquals((await send("bump-3")).status, 429);
  app.clock.advance(1);
  assertEquals((await send("bump-3")).status, 200);
});

Deno.test("an Idempotency-Key yields one link, counts once, and rejects a different request", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { project: another } = await submit(app);
  const send = (change: Record<string, unknown> = {}, address = "203.0.113.50") =>
    app.json("/api/v1/promote", {
      json: { slug, tierId: "boost-7", ...change },
      address,
      headers: { "Idempotency-Key": "order-1" },
    });
  const first = (await send()).body.checkoutUrl;
  for (let i = 0; i < 25; i++) assertEquals((await send()).body.checkoutUrl, first);
  assertEquals((await send({ autoRenew: false })).body.checkoutUrl, first);
  assertEquals(app.stripe.sessions.size, 1);
  for (const change of [{ tierId: "bump-3" }, { slug: another.slug }, { autoRenew: true }]) {
    const other = await send(change);
    assertEquals([other.status, other.body.error?.details[0].field], [400, "Idempotency-Key"]);
  }
  assert((await send({}, "203.0.113.51")).body.checkoutUrl !== first);
  app.stripe.pay(app.sessionOf(first));
  await app.deliverAll();
  assertEquals((await send()).body.checkoutUrl, first);
  app.clock.advance(DAY_MS);
  const second = (await send()).body.checkoutUrl;
  assert(second !== first);
  app.stripe.expireSession(app.sessionOf(second));
  await app.deliverAll();
  assert((await send()).body.checkoutUrl !== second);
  for (const [length, status] of [[255, 200], [256, 400]] as const) {
    const headers = { "Idempotency-Key": "k".repeat(length) };
    const long = await app.json("/api/v1/promote", { json: { slug, tierId: "bump-3" }, headers });
    assertEquals([long.status, long.body.error?.code], [
      status,
      status === 200 ? undefined : "invalid_input",
    ]);
  }
  const bad = { json: {}, headers: { "Idempotency-Key": "k".repeat(256) } };
  for (
    const [path, fields] of [
      ["/api/v1/promote", ["Idempotency-Key", "slug", "tierId"]],
      ["/api/v1/auctions/front-row-2026-11-23/bids", ["Idempotency-Key", "slug", "amountCents"]],
    ] as const
  ) {
    assertEquals(invalidFields(await app.json(path, bad)), fields);
  }
});

Deno.test("concurrent requests with one Idempotency-Key retry Stripe's 409 and get one link", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  app.stripe.latency = async () => {
    await until("another request comes in", () => app.stripe.requests.length > 1);
  };
  const answers = await Promise.all(Array.from({ length: 5 }, () =>
    app.json("/api/v1/promote", {
      json: { slug, tierId: "bump-3" },
      headers: { "Idempotency-Key": "at-once" },
    })));
  assertEquals(answers.map(({ status }) => status), Array(5).fill(200));
  assertEquals(new Set(answers.map(({ body }) => body.checkoutUrl)).size, 1);
  assertEquals(app.stripe.sessions.size, 1);
  assert(app.stripe.requests.length > 2, "no two requests collided");
});

Deno.test("any Stripe failure yields stripe_error or stripe_no_url in our words, and a retry works", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const again: (() => Promise<void>)[] = [];
  for (
    const [fault, code] of [
      ["lost_before", "stripe_error"],
      ["lost_after", "stripe_error"],
      ["http_500", "stripe_error"],
      ["http_500_after", "stripe_error"],
      ["http_402", "stripe_error"],
      ["http_424", "stripe_error"],
      ["http_429", "stripe_error"],
      ["gateway_before", "stripe_error"],
      ["gateway_after", "stripe_error"],
      ["malformed_after", "stripe_error"],
      ["no_url", "stripe_no_url"],
    ] as const
  ) {
    app.stripe.fail(fault);
    const headers = { "Idempotency-Key": fault };
    const body = { slug, tierId: "bump-3" };
    const address = addressOf(++caller);
    const send = () => app.json("/api/v1/promote", { json: body, headers, address });
    const failed = await send();
    assertEquals([failed.status, failed.body.error.code], [502, code], fault);
    assertEquals(JSON.stringify(failed.body).match(/declined|unknown error|cs_test/i), null);
    const retried = await send();
    assertEquals(retried.status, 200, fault);
    const repeat = async () => {
      assertEquals((await send()).body.checkoutUrl, retried.body.checkoutUrl, fault);
    };
    await repeat();
    again.push(repeat);
  }
  // Each order has one payable link, whatever was lost on the way.
  app.clock.advance(5 * 60_000);
  await reconcile(app.deps);
  const open = [...app.stripe.sessions.values()].filter((session) => session.status === "open");
  assertEquals(new Set(open.map((session) => session.metadata.orderId)).size, again.length);
  assertEquals(open.length, again.length);
  for (const repeat of again) await repeat();
});

Deno.test("a Stripe timeout is stripe_error, and a retry finds the session that was made", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { fetch } = app.stripe;
  app.deps.stripe = createStripe({ secretKey: TEST_KEY, fetch, timeoutMs: 20 });
  for (const fault of ["hang_before", "hang_after"] as const) {
    app.stripe.fail(fault);
    const send = () =>
      app.json("/api/v1/promote", {
        json: { slug, tierId: "bump-3" },
        headers: { "Idempotency-Key": fault },
      });
    const failed = await send();
    assertEquals([failed.status, failed.body.error.code], [502, "stripe_error"]);
    assertEquals((await send()).status, 200);
  }
  assertEquals(app.stripe.sessions.size, 2);
});

Deno.test("without a Stripe key, promotions return payments_unconfigured and the rest works", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const answer = await app.json("/api/v1/promote", { json: { slug, tierId: TIERS[0].id } });
  assertEquals([answer.status, answer.body.error.code], [503, "payments_unconfigured"]);
  const kept = app.deps.store.list({ prefix: paymentKeys.openCheckouts });
  assertEquals(await Array.fromAsync(kept), [], "nothing waits for a key");
  assertEquals((await app.json("/api/v1/promote")).body.paymentsOpen, false);
  const webhook = await app.json("/api/stripe/webhook", { json: {} });
  assertEquals(webhook.body.error.code, "payments_unconfigured");
});

Deno.test("while payments are closed nothing is sold, but what was paid is granted", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { body } = await order(app, { slug, tierId: "bump-3" });
  await setSwitches(app.deps.store, { paymentsClosed: true });
  const refused = await order(app, { slug, tierId: "bump-3" });
  assertEquals([refused.status, refused.body.error.code], [503, "payments_disabled"]);
  assertEquals((await app.json("/api/v1/promote")).body.paymentsOpen, false);
  app.stripe.pay(app.sessionOf(body.checkoutUrl));
  await app.deliverAll();
  assertEquals((await promotionOf(app, slug)).promoted, true);
});
