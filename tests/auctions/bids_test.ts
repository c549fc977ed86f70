import { assert, assertEquals } from "@std/assert";
import { firstBrokenEntry } from "@/lib/auctions/history.ts";
import { closeDueAuctions } from "@/lib/auctions/closing.ts";
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "@/lib/clock.ts";
import { setSwitches } from "@/lib/operator/switches.ts";
import { getPaymentFigures } from "@/lib/payments/figures.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import { paymentKeys } from "@/lib/payments/keys.ts";
import { reconcile } from "@/lib/payments/reconcile.ts";
import { MAX_AMOUNT_CENTS } from "@/lib/payments/fees.ts";
import { createStripe } from "@/lib/payments/stripe.ts";
import type { BidCheckout } from "@/lib/payments/schema.ts";
import { writeListing } from "@/lib/listings/service.ts";
import { testApp } from "../support/app.ts";
import { addressOf, submit } from "../support/listings.ts";
import { AUCTION_ID, AUCTION_NOW, type PaidApp, paidApp } from "../support/payments.ts";

const CLOSE = Date.parse("2026-11-22T00:00:00Z");
const START = Date.parse("2026-11-23T00:00:00Z");
let caller = 0;

function bid(app: PaidApp, slug: string, amountCents: unknown, id = AUCTION_ID) {
  return app.json(`/api/v1/auctions/${id}/bids`, {
    json: { slug, amountCents },
    address: addressOf(++caller),
  });
}

/** A link, made; the id of its session. */
async function link(app: PaidApp, slug: string, amountCents: number): Promise<string> {
  const { status, body } = await bid(app, slug, amountCents);
  assertEquals(status, 201, JSON.stringify(body));
  return app.sessionOf(body.checkoutUrl);
}

/** A bid whose hold is confirmed. */
async function hold(app: PaidApp, slug: string, amountCents: number): Promise<string> {
  const session = await link(app, slug, amountCents);
  assert(app.stripe.pay(session));
  await app.deliverAll();
  return session;
}

async function auctionOf(app: PaidApp, id = AUCTION_ID) {
  return (await app.json(`/api/v1/auctions/${id}`)).body.auction;
}

function intentOf(app: PaidApp, session: string) {
  return app.stripe.intents.get(app.stripe.sessions.get(session)!.payment_intent!)!;
}

async function hide(app: PaidApp, slug: string) {
  await app.deps.store.transact(async (tx) => {
    const { value } = await tx.get<StoredListing>(listingKeys.one(slug));
    writeListing(tx, { listing: { ...value!, state: "hidden" }, description: null }, "hidden");
  });
}

Deno.test("bad amounts have the contract's codes, and Stripe is asked for none of them", async () => {
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
  assertEquals(body.error.details.map((d: { field: string }) => d.field), ["slug", "amountCents"]);
  assertEquals(app.stripe.requests, []);
  assertEquals((await bid(app, slug, 97_099_969)).status, 201);
});

Deno.test("bids on unknown listings and auctions are not_found, on closed ones auction_not_open", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { project: { slug: hidden } } = await submit(app);
  await hide(app, hidden);
  for (
    const [who, id, status, code] of [
      ["nobody", AUCTION_ID, 404, "not_found"],
      [hidden, AUCTION_ID, 404, "not_found"],
      [slug, "front-row-2026-11-24", 404, "not_found"],
      [slug, "front-row-2025-12-29", 404, "not_found"],
      [slug, "nonsense", 404, "not_found"],
      [slug, "front-row-2026-11-16", 409, "auction_not_open"],
      [slug, "front-row-2026-11-30", 409, "auction_not_open"],
    ] as const
  ) {
    const { status: actual, body } = await bid(app, who, 1000, id);
    assertEquals([actual, body.error.code], [status, code], `${who} ${id}`);
  }
  const { body } = await bid(app, slug, 1000, "front-row-2026-11-30");
  assertEquals(body.error.details.nextAuction.opensAt, "2026-11-24T00:00:00.000Z");
  app.clock.set(CLOSE);
  assertEquals((await bid(app, slug, 1000)).body.error.code, "auction_not_open");
});

Deno.test("a bid is not public before its hold is confirmed, and then leads", async () => {
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
  assertEquals(auction.highBidder.slug, slug);
  assertEquals(auction.bids.map((b: { status: string }) => b.status), ["high"]);
  assertEquals(intentOf(app, session).status, "requires_capture");
});

Deno.test("an outbid hold is released at once, and links below the new minimum are expired", async () => {
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

Deno.test("a backlog of 100 links below the new minimum is expired at once, not 40 at a time", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const stale = [];
  for (let i = 0; i < 100; i++) stale.push(await link(app, slug, 1000));
  await hold(app, slug, 2000);
  await settlePayments(app.deps);
  const states = new Set(stale.map((id) => app.stripe.sessions.get(id)!.status));
  assertEquals([...states], ["expired"]);
});

Deno.test("invariant 28: a hold confirmed after a higher one, or after the close, is released and never leads", async () => {
  await using app = await paidApp();
  const { project: { slug: a } } = await submit(app);
  const { project: { slug: b } } = await submit(app);
  const low = await link(app, a, 1000);
  const high = await link(app, b, 3000);
  app.stripe.pay(low);
  app.stripe.pay(high);
  const events = app.stripe.undelivered();
  // The higher one is heard of first.
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

Deno.test("a bid is judged once: an outbid one whose release fails does not lead again", async () => {
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
  const { bidId } = app.stripe.sessions.get(first)!.metadata;
  const stored = await app.deps.store.get<BidCheckout>(paymentKeys.checkout(bidId!));
  assertEquals(stored.value?.state, "outbid");
  app.clock.advance(HOUR_MS);
  await settlePayments(app.deps);
  assertEquals(intentOf(app, first).status, "canceled");
});

Deno.test("a hold that someone captures by hand neither leads nor is forgotten: the operator is told once", async () => {
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
  for (const session of [outbid, unheard]) {
    const { bidId } = app.stripe.sessions.get(session)!.metadata;
    const { value } = await app.deps.store.get<BidCheckout>(paymentKeys.checkout(bidId!));
    assertEquals([value?.status, value?.hold], ["completed", "captured"]);
  }
  assertEquals((await auctionOf(app)).highBidCents, 1500);
  const { alerts } = await getPaymentFigures(app.deps);
  assertEquals(
    alerts.map(({ what }) => what),
    Array(2).fill("A hold was captured that does not lead"),
  );
});

Deno.test("the highest bid that Stripe can charge leads, and from then on every amount is too low or too high", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const most = await hold(app, slug, MAX_AMOUNT_CENTS);
  assertEquals(intentOf(app, most).amount, 99_999_999);
  const auction = await auctionOf(app);
  assertEquals([auction.highBidCents, auction.minNextFeeCents], [MAX_AMOUNT_CENTS, null]);
  assertEquals((await bid(app, slug, MAX_AMOUNT_CENTS)).body.error.code, "bid_too_low");
  assertEquals((await bid(app, slug, MAX_AMOUNT_CENTS + 1)).body.error.code, "amount_too_high");
  app.clock.set(CLOSE);
  await settlePayments(app.deps);
  assertEquals(intentOf(app, most).amount_received, 99_999_999);
});

Deno.test("payments that the operator closes in the middle of an auction stop no hold, judgement or capture", async () => {
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

Deno.test("a second hold for the same bid, from a session that nobody was told of, is released", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const first = await hold(app, slug, 1000);
  const { metadata, success_url } = app.stripe.sessions.get(first)!;
  const twin = app.stripe.createSession({
    mode: "payment",
    success_url,
    metadata,
    line_items: [{
      quantity: "1",
      price_data: { currency: "usd", unit_amount: "1061", product_data: { name: "Twin" } },
    }],
    payment_intent_data: { capture_method: "manual", metadata },
  });
  app.stripe.pay(twin.id);
  await app.deliverAll();
  assertEquals(intentOf(app, twin.id).status, "canceled");
  assertEquals(intentOf(app, first).status, "requires_capture");
  assertEquals((await auctionOf(app)).bidCount, 1);
});

Deno.test("the winner is captured in full at the close, once, and shown for the week", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await hold(app, slug, 5000);
  app.clock.set(CLOSE - 1);
  await closeDueAuctions(app.deps);
  assertEquals(intentOf(app, session).status, "requires_capture");
  app.clock.set(CLOSE);
  await Promise.all([settlePayments(app.deps), settlePayments(app.deps)]);
  await app.deliverAll();
  const intent = intentOf(app, session);
  assertEquals([intent.status, intent.amount_received], ["succeeded", 5181]);
  const auction = await auctionOf(app);
  assertEquals([auction.status, auction.outcome, auction.winner.slug], ["past", "won", slug]);
  assertEquals(auction.bids[0].status, "won");
  const project = () => app.json(`/api/v1/projects/${slug}`).then(({ body }) => body.project);
  assertEquals((await project()).sponsored, false);
  app.clock.set(START);
  assertEquals([(await project()).sponsored, (await project()).placement], [true, "front-row"]);
  const { body } = await app.json("/api/v1/auctions");
  assertEquals([body.frontRow.slug, body.pastWinners[0].slug], [slug, slug]);
  app.clock.set(START + 7 * DAY_MS);
  assertEquals((await project()).sponsored, false);
  assertEquals((await app.json("/api/v1/auctions")).body.frontRow, null);
});

Deno.test("a close that no job noticed is made up for by the first reader", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await hold(app, slug, 1000);
  app.clock.set(CLOSE + HOUR_MS);
  assertEquals((await auctionOf(app)).outcome, "won");
  assertEquals(intentOf(app, session).status, "succeeded");
});

Deno.test("invariant 25: a capture whose answer is lost or wrong is settled by looking, never repeated on faith", async () => {
  for (
    const fault of [
      "lost_after",
      "http_500_after",
      "http_500",
      "lost_before",
      "malformed_after",
    ] as const
  ) {
    await using app = await paidApp();
    const { project: { slug } } = await submit(app);
    const session = await hold(app, slug, 1000);
    app.clock.set(CLOSE);
    app.stripe.fail(fault, /capture$/);
    for (let minute = 0; minute < 30; minute++) {
      await settlePayments(app.deps);
      app.clock.advance(MINUTE_MS);
    }
    assertEquals((await auctionOf(app)).outcome, "won", fault);
    assertEquals(intentOf(app, session).amount_received, 1061, fault);
  }
});

Deno.test("a key that Stripe does not take delays a capture and ends nothing", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await hold(app, slug, 1000);
  app.clock.set(CLOSE);
  const { stripe } = app.deps;
  app.deps.stripe = createStripe({ secretKey: "sk_test_revoked", fetch: app.stripe.fetch });
  await settlePayments(app.deps);
  assertEquals((await auctionOf(app)).outcome, null);
  app.deps.stripe = stripe;
  app.clock.advance(HOUR_MS);
  await settlePayments(app.deps);
  assertEquals((await auctionOf(app)).outcome, "won");
  assertEquals(intentOf(app, session).status, "succeeded");
});

Deno.test("a hold that cannot be captured leaves the slot empty: capture-failed, nobody else is charged", async () => {
  await using app = await paidApp();
  const { project: { slug: a } } = await submit(app);
  const { project: { slug: b } } = await submit(app);
  const loser = await hold(app, a, 1000);
  const winner = await hold(app, b, 2000);
  app.clock.set(CLOSE);
  app.stripe.fail("http_402", /capture$/);
  await settlePayments(app.deps);
  await settlePayments(app.deps);
  const auction = await auctionOf(app);
  assertEquals([auction.outcome, auction.winner], ["capture-failed", null]);
  assertEquals([intentOf(app, loser).status, intentOf(app, winner).status], [
    "canceled",
    "canceled",
  ]);
  app.clock.set(START);
  assertEquals((await app.json("/api/v1/auctions")).body.frontRow, null);
});

Deno.test("an auction without bids ends as no-bids, and needs no job for it", async () => {
  await using app = await paidApp();
  app.clock.set(CLOSE);
  const auction = await auctionOf(app);
  assertEquals([auction.status, auction.outcome], ["past", "no-bids"]);
  await settlePayments(app.deps);
  assertEquals(app.stripe.requests, []);
});

Deno.test("invariant 27: a bid accepted in the last ten minutes extends the close, and the answer says so", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  app.clock.set(CLOSE - 10 * MINUTE_MS - 1);
  await hold(app, slug, 1000);
  assertEquals((await auctionOf(app)).closesAt, isoTime(CLOSE));
  app.clock.set(CLOSE - 1);
  await hold(app, slug, 1100);
  const auction = await auctionOf(app);
  assertEquals([auction.closesAt, auction.extended], [isoTime(CLOSE + 10 * MINUTE_MS), true]);
  app.clock.set(CLOSE + 9 * MINUTE_MS);
  assertEquals((await auctionOf(app)).status, "open");
  await hold(app, slug, 1200);
  assertEquals((await auctionOf(app)).closesAt, isoTime(CLOSE + 20 * MINUTE_MS));
});

Deno.test("a winner whose listing is hidden shows nothing, in the auction as on the front page", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await hold(app, slug, 1000);
  app.clock.set(CLOSE);
  await settlePayments(app.deps);
  await hide(app, slug);
  app.clock.set(START);
  const { body } = await app.json("/api/v1/auctions");
  assertEquals([body.frontRow, body.pastWinners], [null, []]);
  const auction = await auctionOf(app);
  assertEquals([auction.outcome, auction.winner, auction.highBidder], ["won", null, null]);
  assertEquals([auction.bids[0].slug, auction.bids[0].name], [null, null]);
  const chain = auction.bids.toReversed().map((b: Record<string, unknown>) => ({
    ...b,
    at: Date.parse(b.at as string),
  }));
  assertEquals(firstBrokenEntry(AUCTION_ID, chain), null);
});

Deno.test("50 bidders in the last second: a serial order explains every answer and the end", async () => {
  await using app = await paidApp();
  const slugs: string[] = [];
  for (let i = 0; i < 50; i++) slugs.push((await submit(app)).project.slug);
  app.clock.set(CLOSE - 1000);
  const amounts = slugs.map((_, i) => 1000 + ((i * 37) % 50) * 40);
  const answers = await Promise.all(slugs.map((slug, i) => bid(app, slug, amounts[i])));
  for (const { status, body } of answers) assertEquals(status, 201, JSON.stringify(body));
  const sessions = answers.map(({ body }) => app.sessionOf(body.checkoutUrl));
  for (const session of sessions) assert(app.stripe.pay(session));
  const events = app.stripe.undelivered().filter((e) => e.type === "checkout.session.completed");
  const results = await Promise.all(events.map((event) => app.post(event)));
  assert(results.every(({ status }) => [200, 409, 503].includes(status)));
  await app.deliverAll();

  const auction = await auctionOf(app);
  const accepted = auction.bids.toReversed() as {
    slug: string;
    amountCents: number;
    hash: string;
  }[];
  const byAmount = new Map(slugs.map((slug, i) => [slug, amounts[i]!]));
  // The history is that serial order: each step beats the one before by the minimum.
  let high: number | null = null;
  for (const { slug, amountCents } of accepted) {
    assertEquals(amountCents, byAmount.get(slug));
    const min: number = high === null ? 1000 : high + Math.max(100, Math.ceil(high / 20));
    assert(amountCents >= min, `${amountCents} after ${high}`);
    high = amountCents;
  }
  // Nobody was refused who would have led at the end, and one hold alone is kept.
  for (const [i, amount] of amounts.entries()) {
    if (accepted.some(({ slug }) => slug === slugs[i])) continue;
    assert(amount < high! + Math.max(100, Math.ceil(high! / 20)));
  }
  const held = sessions.filter((session) => intentOf(app, session).status === "requires_capture");
  assertEquals(held.length, 1);
  assertEquals(intentOf(app, held[0]!).metadata.slug, accepted.at(-1)!.slug);
  // The first one moved the close past the last ten minutes for the others.
  assertEquals(auction.closesAt, isoTime(CLOSE + 10 * MINUTE_MS));
});

Deno.test("the 21st bid link of a network within an hour is refused", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const send = () =>
    app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
      json: { slug, amountCents: 1000 },
      address: "203.0.113.98",
    });
  for (let i = 0; i < 20; i++) assertEquals((await send()).status, 201);
  assertEquals((await send()).body.error.code, "rate_limited");
});

Deno.test("an Idempotency-Key leads a bid to one link, also after it was paid", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const send = (amountCents: number) =>
    app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
      json: { slug, amountCents },
      headers: { "Idempotency-Key": "bid-1" },
    });
  const { status, body } = await send(1000);
  assertEquals(status, 201);
  assertEquals((await send(1000)).body.checkoutUrl, body.checkoutUrl);
  app.stripe.pay(app.sessionOf(body.checkoutUrl));
  await app.deliverAll();
  assertEquals((await send(1000)).body.checkoutUrl, body.checkoutUrl);
  assertEquals((await send(1200)).body.error.code, "invalid_input");
  assertEquals(app.stripe.sessions.size, 1);
});

Deno.test("an Idempotency-Key makes a new link when the first has ended, and one attempt more when Stripe's answer was lost for long", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const send = (key: string) =>
    app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
      json: { slug, amountCents: 1000 },
      headers: { "Idempotency-Key": key },
    });
  const first = (await send("ended")).body.checkoutUrl;
  app.clock.advance(31 * MINUTE_MS);
  const second = (await send("ended")).body.checkoutUrl;
  assert(second !== first);
  assertEquals(app.stripe.sessions.get(app.sessionOf(second))!.status, "open");
  for (const fault of ["lost_before", "lost_after"] as const) {
    app.stripe.fail(fault, /POST/);
    assertEquals((await send(fault)).status, 502);
    // The first attempt's end is now nearer than Stripe takes.
    app.clock.advance(5 * MINUTE_MS);
    const { status, body } = await send(fault);
    assertEquals(status, 201, fault);
    assertEquals(app.stripe.sessions.get(app.sessionOf(body.checkoutUrl))!.status, "open");
  }
});

Deno.test("bids answer payments_disabled without a key and while payments are closed", async () => {
  const json = (slug: string) => ({ json: { slug, amountCents: 1000 } });
  {
    await using app = await testApp({ now: AUCTION_NOW });
    const { project: { slug } } = await submit(app);
    const answer = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, json(slug));
    assertEquals([answer.status, answer.body.error.code], [503, "payments_disabled"]);
    assertEquals((await app.json("/api/v1/auctions")).body.open.length, 1);
  }
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await setSwitches(app.deps.store, { paymentsClosed: true });
  assertEquals((await bid(app, slug, 1000)).body.error.code, "payments_disabled");
});

Deno.test("an agent's name of more than 60 characters is invalid_input on a bid", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amountCents: 1000 },
    headers: { "X-Agent-Name": "x".repeat(61) },
  });
  assertEquals([body.error.code, body.error.details[0].field], ["invalid_input", "X-Agent-Name"]);
});

Deno.test("GET /auctions says on every day of the week what is open and when bidding opens next", async () => {
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
    assert(body.rules.length > 5);
  }
});
