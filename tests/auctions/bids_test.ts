import { assert, assertEquals, assertMatch } from "@std/assert";
import { auctionKeys } from "@/lib/auctions/keys.ts";
import type { BidCheckout } from "@/lib/auctions/schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { getPaymentFigures } from "@/lib/operator/payment_figures.ts";
import { MAX_AMOUNT_CENTS } from "@/lib/payments/fees.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { paymentKeys } from "@/lib/payments/keys.ts";
import { reconcile } from "@/lib/payments/reconcile.ts";
import { setSwitches } from "@/lib/switches.ts";
import { testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { AUCTION_ID, AUCTION_NOW, paidApp } from "../support/payments.ts";
import { auctionOf, bid, CLOSE, fateOf, hide, hold, intentOf, link } from "./bidding.ts";

Deno.test("invalid amounts get the contract's codes, without a request to Stripe", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  for (
    const [amount, code] of [
      [0, "bid_too_low"],
      [-5, "bid_too_low"],
      [999, "bid_too_low"],
      [10.5, "invalid_amount"],
      [-0.5, "invalid_amount"],
      ["1000", "invalid_amount"],
      [null, "invalid_amount"],
      [true, "invalid_amount"],
      [[1000], "invalid_amount"],
      [1e21, "amount_too_high"],
      [97_099_970, "amount_too_high"],
      [undefined, "invalid_input"],
    ] as const
  ) {
    const { status, body } = await bid(app, slug, amount);
    assertEquals([status, body.error.code], [400, code], String(amount));
  }
  const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, { json: {} });
  const fields = (details: { field: string }[]) => details.map(({ field }) => field);
  assertEquals(fields(body.error.details), ["slug", "amountCents"]);
  const misnamed = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amount: 1_000 },
  });
  assertEquals(fields(misnamed.body.error.details), ["amountCents", "amount"]);
  const noted = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amountCents: 10.5, note: "x" },
  });
  assertEquals(noted.body.error.code, "invalid_amount");
  assertEquals(fields(noted.body.error.details), ["amountCents", "note"]);
  const both = await bid(app, "", 10.5);
  assertEquals(both.body.error.code, "invalid_input");
  assertEquals(fields(both.body.error.details), ["slug", "amountCents"]);
  assertEquals(app.stripe.requests, []);
  assertEquals((await bid(app, slug, 97_099_969)).status, 201);
});

Deno.test("bid_too_low gives the auction's current minimum, even for zero and negative amounts", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await hold(app, slug, 5000);
  for (const amount of [-5, 0, 1, 999, 1000, 5249]) {
    const { error } = (await bid(app, slug, amount)).body;
    const { code, details } = error;
    assertEquals(
      [code, details],
      ["bid_too_low", { minNextBidCents: 5250, minNextBid: "$52.50" }],
      String(amount),
    );
  }
});

Deno.test("bids on unknown listings or auctions are not_found, and on closed auctions auction_not_open", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { project: { slug: hidden } } = await submit(app);
  await hide(app, hidden);
  for (
    const [who, id, status, code, which] of [
      ["nobody", AUCTION_ID, 404, "not_found", /project/],
      ["x".repeat(3_000), AUCTION_ID, 404, "not_found", /project/],
      [hidden, AUCTION_ID, 404, "not_found", /project/],
      [slug, "front-row-2026-11-24", 404, "not_found", /auction/],
      [slug, "front-row-2025-12-29", 404, "not_found", /auction/],
      [slug, "nonsense", 404, "not_found", /auction/],
      [slug, "front-row-2026-11-16", 409, "auction_not_open"],
      [slug, "front-row-2026-11-30", 409, "auction_not_open"],
    ] as const
  ) {
    const { status: actual, body } = await bid(app, who, 1000, id);
    assertEquals([actual, body.error.code], [status, code], `${who} ${id}`);
    if (which) assertMatch(body.error.message, which);
    if (status === 404) assertEquals((await bid(app, who, 0, id)).body.error.code, code);
  }
  const { body } = await bid(app, slug, 1000, "front-row-2026-11-30");
  assertEquals(body.error.details.nextAuction.opensAt, "2026-11-24T00:00:00.000Z");
  assertEquals(body.error.details.openAuction, { id: AUCTION_ID });
  app.clock.set(CLOSE);
  const { error } = (await bid(app, slug, 1000)).body;
  assertEquals([error.code, error.details.openAuction], ["auction_not_open", null]);
});

Deno.test("auction_not_open names the open auction, even while late bids extend it", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  app.clock.set(CLOSE - MINUTE_MS);
  await hold(app, slug, 1000);
  const openAuction = async () => {
    const { status, body } = await bid(app, slug, 1000, "front-row-2026-11-30");
    assertEquals(status, 409);
    return body.error.details.openAuction;
  };
  app.clock.set(CLOSE + 10 * MINUTE_MS - 1);
  assertEquals(await openAuction(), { id: AUCTION_ID });
  app.clock.set(CLOSE + 10 * MINUTE_MS);
  assertEquals(await openAuction(), null);
});

Deno.test("a bid isn't public until its hold is confirmed, and then leads", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await link(app, slug, 1000);
  assertEquals(app.stripe.sessions.get(session)!.amount_total, 1061);
  assertEquals((await auctionOf(app)).bidCount, 0);
  app.stripe.pay(session);
  assertEquals((await auctionOf(app)).highBidCents, null);
  await app.deliverAll();
  const auction = await auctionOf(app);
  assertEquals(
    [auction.status, auction.highBidCents, auction.minNextBidCents, auction.minNextTotalCents],
    ["open", 1000, 1100, 1164],
  );
  assertEquals(
    [auction.highBid, auction.minNextBid, auction.minNextFee, auction.minNextTotal],
    ["$10.00", "$11.00", "$0.64", "$11.64"],
  );
  assertEquals(auction.highBidder.slug, slug);
  assertEquals(auction.bids.map((b: { status: string }) => b.status), ["high"]);
  assertEquals(intentOf(app, session).status, "requires_capture");
});

for (const type of ["checkout.session.completed", "payment_intent.amount_capturable_updated"]) {
  Deno.test(`${type} alone confirms a hold`, async () => {
    await using app = await paidApp();
    const { project: { slug } } = await submit(app);
    const session = await link(app, slug, 1000);
    app.stripe.pay(session);
    const event = app.stripe.events.find((event) => event.type === type)!;
    assertEquals((await app.post(event)).status, 200);
    assertEquals(await fateOf(app, session), "completed, high, held");
  });
}

Deno.test("an outbid hold is released immediately, and links below the new minimum expire", async () => {
  await using app = await paidApp();
  const { project: { slug: a } } = await submit(app);
  const { project: { slug: b } } = await submit(app);
  const first = await hold(app, a, 1000);
  const stale = await link(app, a, 1100);
  const ahead = await link(app, a, 2500);
  const rival = await link(app, b, 2000);
  app.stripe.pay(rival);
  await app.deliverAll();
  assertEquals(intentOf(app, first).status, "canceled");
  assertEquals(app.stripe.sessions.get(stale)!.status, "expired");
  assertEquals(app.stripe.sessions.get(ahead)!.status, "open");
  assertEquals(app.stripe.pay(stale), false);
  const { body } = await bid(app, a, 2099);
  assertEquals([body.error.code, body.error.details.minNextBidCents], ["bid_too_low", 2100]);
  const auction = await auctionOf(app);
  assertEquals(auction.bids.map((x: { status: string; slug: string }) => [x.slug, x.status]), [
    [b, "high"],
    [a, "outbid"],
  ]);
});

Deno.test("the job retries expirations and releases that failed at Stripe", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const first = await hold(app, slug, 1000);
  const stale = await link(app, slug, 1100);
  const { status } = intentOf(app, first);
  intentOf(app, first).status = "processing";
  app.stripe.fail("http_500", /expire$/);
  await hold(app, slug, 2000);
  assertEquals(await fateOf(app, first), "completed, outbid, held");
  assertEquals(app.stripe.sessions.get(stale)!.status, "open");
  intentOf(app, first).status = status;
  app.clock.advance(MINUTE_MS);
  await settlePayments(app.deps);
  assertEquals(await fateOf(app, first), "completed, outbid, released");
  assertEquals(await fateOf(app, stale), "expired, pending, none");
  assertEquals(app.stripe.sessions.get(stale)!.status, "expired");
  assertEquals((await getPaymentFigures(app.deps)).waitingOperations, 0);
});

Deno.test("100 links below the new minimum expire in one pass", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const stale = [];
  for (let i = 0; i < 100; i++) stale.push(await link(app, slug, 1000));
  await hold(app, slug, 2000);
  await settlePayments(app.deps);
  const states = new Set(stale.map((id) => app.stripe.sessions.get(id)!.status));
  assertEquals([...states], ["expired"]);
  assertEquals((await getPaymentFigures(app.deps)).waitingOperations, 0);
});

Deno.test("invariant 28: a hold confirmed after a higher one or after the close is released and never leads", async () => {
  await using app = await paidApp();
  const { project: { slug: a } } = await submit(app);
  const { project: { slug: b } } = await submit(app);
  const low = await link(app, a, 1000);
  const high = await link(app, b, 3000);
  app.stripe.pay(low);
  app.stripe.pay(high);
  const events = app.stripe.undelivered();
  // The event of the higher one arrives first.
  for (const event of events.filter((e) => JSON.stringify(e.data).includes(b)).concat(events)) {
    await app.post(event);
  }
  assertEquals(intentOf(app, low).status, "canceled");
  assertEquals((await auctionOf(app)).bidCount, 1);
  app.clock.set(CLOSE - MINUTE_MS);
  const late = await link(app, a, 4000);
  app.stripe.pay(late);
  app.clock.set(CLOSE);
  await app.deliverAll();
  assertEquals(intentOf(app, late).status, "canceled");
  assertEquals((await auctionOf(app)).highBidCents, 3000);
});

Deno.test("a hold found while the clock is behind is judged once the clock is right", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await link(app, slug, 1000);
  app.stripe.pay(session);
  Object.assign(app.stripe, { nowMs: () => AUCTION_NOW });
  app.clock.set(AUCTION_NOW - 2 * DAY_MS);
  assertEquals(await reconcile(app.deps), false);
  app.clock.set(AUCTION_NOW + MINUTE_MS);
  await app.deliverAll();
  assertEquals(intentOf(app, session).status, "requires_capture");
  assertEquals((await auctionOf(app)).highBidCents, 1000);
});

Deno.test("reconcile releases a hold for an auction that opens in weeks or for a hidden listing", async () => {
  const later = "front-row-2026-12-14";
  for (const isHidden of [false, true]) {
    await using app = await paidApp();
    const { project: { slug } } = await submit(app);
    if (!isHidden) app.clock.set(AUCTION_NOW + 21 * DAY_MS);
    const { body } = await bid(app, slug, 1000, isHidden ? AUCTION_ID : later);
    const session = app.sessionOf(body.checkoutUrl);
    if (!isHidden) app.clock.set(AUCTION_NOW);
    app.stripe.pay(session);
    if (isHidden) {
      Object.assign(app.stripe, { nowMs: () => AUCTION_NOW });
      app.clock.set(AUCTION_NOW - 2 * DAY_MS);
      await hide(app, slug);
    }
    assertEquals(await reconcile(app.deps), true);
    assertEquals(intentOf(app, session).status, "canceled", String(isHidden));
  }
});

Deno.test("a hold for a listing hidden in the meantime is released and never leads", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await link(app, slug, 1000);
  await hide(app, slug);
  app.stripe.pay(session);
  await app.deliverAll();
  assertEquals(intentOf(app, session).status, "canceled");
  const { bidCount, highBidCents } = await auctionOf(app);
  assertEquals([bidCount, highBidCents], [0, null]);
});

Deno.test("a bid is judged only once: an outbid one whose release fails doesn't lead again", async () => {
  await using app = await paidApp();
  const { project: { slug: a } } = await submit(app);
  const { project: { slug: b } } = await submit(app);
  const first = await hold(app, a, 1000);
  app.stripe.fail("http_500", /cancel$/);
  await hold(app, b, 1100);
  assertEquals(intentOf(app, first).status, "requires_capture");
  for (const event of app.stripe.events.filter((e) => e.type.endsWith("capturable_updated"))) {
    await app.post({ ...event, id: `${event.id}_again` });
  }
  const auction = await auctionOf(app);
  assertEquals([auction.bidCount, auction.highBidder.slug], [2, b]);
  assertEquals(await fateOf(app, first), "completed, outbid, held");
  app.clock.advance(HOUR_MS);
  await settlePayments(app.deps);
  assertEquals(intentOf(app, first).status, "canceled");
});

Deno.test("a manually captured hold doesn't lead, and alerts the operator once", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const outbid = await hold(app, slug, 1000);
  app.stripe.fail("lost_before", /cancel$/);
  app.stripe.fail("lost_before", /payment_intents/);
  app.stripe.captureIntent(intentOf(app, outbid).id, null);
  await hold(app, slug, 1500);
  const unheard = await link(app, slug, 2000);
  app.stripe.pay(unheard);
  app.stripe.captureIntent(intentOf(app, unheard).id, null);
  app.clock.advance(HOUR_MS);
  for (let i = 0; i < 3; i++) await reconcile(app.deps);
  assertEquals(await fateOf(app, outbid), "completed, outbid, captured");
  assertEquals(await fateOf(app, unheard), "completed, lapsed, captured");
  assertEquals((await auctionOf(app)).highBidCents, 1500);
  const { alerts, waitingOperations } = await getPaymentFigures(app.deps);
  assertEquals(
    alerts.map(({ what }) => what),
    Array(2).fill("A hold was captured for a bid that isn't leading"),
  );
  assertEquals(waitingOperations, 0);
});

Deno.test("a leading bid's hold that ended at Stripe is found without a webhook, and alerts once", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await hold(app, slug, 1000);
  app.clock.advance(2 * DAY_MS);
  await reconcile(app.deps);
  app.stripe.cancelIntent(intentOf(app, session).id, null);
  for (let i = 0; i < 3; i++) assert(await reconcile(app.deps));
  assertEquals(await fateOf(app, session), "completed, high, released");
  const { alerts } = await getPaymentFigures(app.deps);
  assertEquals(alerts.map(({ what }) => what), ["The hold for the leading bid ended at Stripe"]);
});

Deno.test("a bid whose hold ended at Stripe before it was judged doesn't count, and alerts nobody", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await link(app, slug, 1000);
  app.stripe.pay(session);
  app.stripe.cancelIntent(intentOf(app, session).id, null);
  await app.deliverAll();
  assertEquals(await fateOf(app, session), "completed, lapsed, released");
  assertEquals((await auctionOf(app)).bidCount, 0);
  assertEquals((await getPaymentFigures(app.deps)).alerts, []);
});

Deno.test("an alert about a hold is committed with the hold's state, so a failed write delays both", async () => {
  let takesAlerts = true;
  const kv = kvWith(await Deno.openKv(":memory:"), {
    operation(operation) {
      const set = operation.set.bind(operation);
      operation.set = (key, ...rest) => {
        const isAlert = key[0] === paymentKeys.alerts[0];
        if (isAlert && !takesAlerts) throw new TypeError("Value too large: a planted failure");
        return set(key, ...rest);
      };
    },
  });
  await using app = await paidApp({ kv });
  const { project: { slug } } = await submit(app);
  const leading = await hold(app, slug, 1500);
  const unheard = await link(app, slug, 2000);
  app.stripe.pay(unheard);
  app.stripe.captureIntent(intentOf(app, unheard).id, null);
  app.stripe.cancelIntent(intentOf(app, leading).id, null);
  app.clock.advance(HOUR_MS);
  takesAlerts = false;
  assertEquals(await reconcile(app.deps), false);
  takesAlerts = true;
  for (let i = 0; i < 2; i++) {
    app.clock.advance(HOUR_MS);
    await reconcile(app.deps);
  }
  const { alerts } = await getPaymentFigures(app.deps);
  assertEquals(alerts.map(({ what }) => what).sort(), [
    "A hold was captured for a bid that isn't leading",
    "The hold for the leading bid ended at Stripe",
  ]);
});

Deno.test("an auction's bids match its bid count, even if another is accepted in the meantime", async () => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const plain = await Deno.openKv(":memory:");
  const kv = kvWith(plain, {
    async *list(selector, options) {
      const isHistory = JSON.stringify(selector).includes(auctionKeys.history(AUCTION_ID)[0]!);
      const accepted = isHistory ? meanwhile : undefined;
      if (isHistory) meanwhile = undefined;
      await accepted?.();
      yield* plain.list(selector, options);
    },
  });
  await using app = await paidApp({ kv });
  const { project: { slug } } = await submit(app);
  await hold(app, slug, 1000);
  meanwhile = () => hold(app, slug, 2000);
  const { bidCount, bids, highBidCents } = await auctionOf(app);
  assertEquals([bidCount, bids.length, highBidCents, bids[0].amountCents], [1, 1, 1000, 1000]);
  assertEquals((await auctionOf(app)).bids.length, 2);
});

Deno.test("after the highest bid that Stripe can charge, every amount is too low or too high", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const most = await hold(app, slug, MAX_AMOUNT_CENTS);
  assertEquals(intentOf(app, most).amount, 99_999_999);
  const auction = await auctionOf(app);
  assertEquals([auction.highBidCents, auction.minNextFeeCents], [MAX_AMOUNT_CENTS, null]);
  assertEquals([auction.minNextFee, auction.minNextTotal], [null, null]);
  assertEquals((await bid(app, slug, MAX_AMOUNT_CENTS)).body.error.code, "bid_too_low");
  const { error } = (await bid(app, slug, MAX_AMOUNT_CENTS + 1)).body;
  assertEquals([error.code, error.details], [
    "amount_too_high",
    { maxCents: MAX_AMOUNT_CENTS, max: "$970,999.69" },
  ]);
  app.clock.set(CLOSE);
  await settlePayments(app.deps);
  assertEquals(intentOf(app, most).amount_received, 99_999_999);
});

Deno.test("closing payments in mid-auction stops new bids, but no hold, judgment or capture", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await hold(app, slug, 1000);
  const open = await link(app, slug, 1100);
  await setSwitches(app.deps.store, { paymentsClosed: true });
  assertEquals((await bid(app, slug, 2000)).body.error.code, "payments_disabled");
  app.stripe.pay(open);
  await app.deliverAll();
  assertEquals((await auctionOf(app)).highBidCents, 1100);
  app.clock.set(CLOSE);
  await settlePayments(app.deps);
  assertEquals(intentOf(app, open).status, "succeeded");
  assertEquals((await auctionOf(app)).outcome, "won");
});

Deno.test("a bid's duplicate hold is released, or alerts the operator if it was captured manually", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const first = await hold(app, slug, 1000);
  const { metadata, success_url } = app.stripe.sessions.get(first)!;
  const twinParams = {
    mode: "payment",
    success_url,
    metadata,
    line_items: [{
      quantity: "1",
      price_data: { currency: "usd", unit_amount: "1061", product_data: { name: "Twin" } },
    }],
    payment_intent_data: { capture_method: "manual", metadata },
  };
  const twin = app.stripe.createSession(twinParams);
  app.stripe.pay(twin.id);
  await app.deliverAll();
  assertEquals(intentOf(app, twin.id).status, "canceled");
  assertEquals(intentOf(app, first).status, "requires_capture");
  assertEquals((await auctionOf(app)).bidCount, 1);
  const { value } = await app.deps.store.get<BidCheckout>(paymentKeys.checkout(metadata.bidId!));
  assertEquals([value?.state, value?.hold], ["high", "held"]);
  const another = app.stripe.createSession(twinParams);
  app.stripe.pay(another.id);
  app.stripe.captureIntent(intentOf(app, another.id).id, null);
  await app.deliverAll();
  assertEquals(await fateOf(app, first), "completed, high, held");
  const { alerts } = await getPaymentFigures(app.deps);
  assertEquals(alerts.map(({ what }) => what), [
    "A hold was captured for a bid that isn't leading",
  ]);
  await hold(app, (await submit(app)).project.slug, 2000);
  assertEquals(intentOf(app, first).status, "canceled", "each hold of a bid is released by itself");
});

/** What the rules must say. */
const RULES = [
  "for one week",
  "starts at $10.",
  "opens 6 days before the week starts and closes 24 hours before",
  "A bid in the last 10 minutes extends bidding by 10 minutes",
  "$1 or 5%, whichever is greater",
  "Bids are binding. Your card is authorized (the amount is held, not charged)",
  "your hold is released right away",
  "captured in full when bidding closes",
  "first on the home page, above the promoted projects",
  "trending, where_to_promote and llms.txt lists",
];

Deno.test("an auction's name gives the dates of its week, with both years across New Year", async () => {
  await using app = await paidApp({ now: Date.parse("2026-12-16T00:00:00Z") });
  for (
    const [id, name] of [
      ["front-row-2026-12-21", "Front Row, December 21 to 27, 2026"],
      ["front-row-2026-12-28", "Front Row, December 28, 2026 to January 3, 2027"],
      ["front-row-2027-01-04", "Front Row, January 4 to 10, 2027"],
    ] as const
  ) assertEquals((await auctionOf(app, id)).name, name);
});

Deno.test("GET /auctions says what is open and when bidding opens next, on every day of the week", async () => {
  await using app = await testApp({ now: "2026-11-16T12:00:00Z" });
  for (let day = 0; day < 7; day++) {
    app.clock.set(Date.parse("2026-11-16T12:00:00Z") + day * DAY_MS);
    const { body } = await app.json("/api/v1/auctions");
    const weekday = (1 + day) % 7;
    assertEquals(body.open.length, weekday === 0 || weekday === 1 ? 0 : 1);
    assertEquals(body.upcoming.length, 5 - body.open.length - body.closing.length);
    assertEquals(
      body.nextOpening.opensAt,
      day === 0 ? "2026-11-17T00:00:00.000Z" : "2026-11-24T00:00:00.000Z",
    );
    for (const rule of RULES) assert(body.rules.join(" ").includes(rule), rule);
    const one = await app.json(`/api/v1/auctions/${AUCTION_ID}`);
    assertEquals(one.body.nextOpening, body.nextOpening);
  }
});
