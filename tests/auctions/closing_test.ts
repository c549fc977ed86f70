import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Deps } from "@/lib/app/deps.ts";
import { closeAuction, closeDueAuctions } from "@/lib/auctions/closing.ts";
import { firstBrokenEntry, listingDigest } from "@/lib/auctions/history.ts";
import { auctionKeys } from "@/lib/auctions/keys.ts";
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, utcDay } from "@/lib/clock.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { listValues } from "@/lib/kv/ranges.ts";
import type { Change } from "@/lib/kv/store.ts";
import { LIMITS } from "@/lib/limits.ts";
import { getPaymentFigures } from "@/lib/operator/payment_figures.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { repeatOperations } from "@/lib/payments/operation_runner.ts";
import { reconcile } from "@/lib/payments/reconcile.ts";
import { createStripe } from "@/lib/payments/stripe.ts";
import { kvListing, kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { AUCTION_ID, paidApp } from "../support/payments.ts";
import { TEST_KEY } from "../support/stripe_double.ts";
import { words } from "../support/words.ts";
import {
  auctionOf,
  bid,
  CLOSE,
  fateOf,
  hide,
  hold,
  intentOf,
  link,
  settleWithRevokedKey,
  START,
} from "./bidding.ts";

Deno.test("the winner is captured in full once at the close, and shown for the week", async () => {
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
  // A late event about the hold, with an id that wasn't seen before.
  const held = app.stripe.events.find(({ type }) =>
    type === "payment_intent.amount_capturable_updated"
  );
  assertEquals((await app.post({ ...held!, id: "evt_late" })).status, 200);
  assertEquals(await fateOf(app, session), "completed, won, captured");
  assertEquals((await getPaymentFigures(app.deps)).alerts, []);
  const auction = await auctionOf(app);
  assertEquals([auction.status, auction.outcome, auction.winner.slug], ["past", "won", slug]);
  assertEquals(auction.bids[0].status, "won");
  const project = () => app.json(`/api/v1/projects/${slug}`).then(({ body }) => body.project);
  assertEquals((await project()).sponsored, false);
  app.clock.set(START);
  assertEquals([(await project()).sponsored, (await project()).placement], [true, "front-row"]);
  const { body } = await app.json("/api/v1/auctions");
  assertEquals([body.frontRow.slug, body.frontRow.sponsored], [slug, true]);
  assertEquals(body.pastWinners, [{
    id: AUCTION_ID,
    slug,
    name: body.frontRow.name,
    amountCents: 5000,
    amount: "$50.00",
    startsAt: isoTime(START),
    endsAt: isoTime(START + 7 * DAY_MS),
    page: `http://projectory.test/auctions/${AUCTION_ID}`,
  }]);
  const page = await words(app, "/auctions");
  const { name, tagline } = body.frontRow;
  assertMatch(page, new RegExp(`Sponsored \\S ${name} \\S+ ${tagline}`));
  assertStringIncludes(page, `Past winners ${name} $50.00, week of Nov 23, 2026`);
  app.clock.set(START + 7 * DAY_MS);
  assertEquals((await project()).sponsored, false);
  assertEquals((await app.json("/api/v1/auctions")).body.frontRow, null);
});

Deno.test("each call that changes something at Stripe has its own idempotency key", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const keys: (string | null)[] = [];
  app.deps.stripe = createStripe({
    secretKey: TEST_KEY,
    fetch: (input, init) => {
      const { method, headers } = new Request(input, init);
      if (method === "POST") keys.push(headers.get("idempotency-key"));
      return app.stripe.fetch(input, init);
    },
  });
  const low = await link(app, slug, 1000);
  const first = await hold(app, slug, 1000);
  const second = await hold(app, slug, 2000);
  app.clock.set(CLOSE);
  await settlePayments(app.deps);
  const [a, b, c] = [low, first, second].map((id) => app.stripe.sessions.get(id)!.metadata.bidId);
  assertEquals(keys, [
    `checkout-${a}-1`,
    `checkout-${b}-1`,
    `expire-${low}`,
    `checkout-${c}-1`,
    `release-${b}-${intentOf(app, first).id}`,
    `capture-${AUCTION_ID}-${c}`,
  ]);
});

Deno.test("a closed auction stays past and refuses bids when the clock is set back", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await hold(app, slug, 1000);
  app.clock.set(CLOSE);
  await settlePayments(app.deps);
  app.clock.set(CLOSE - DAY_MS);
  const { status, outcome } = await auctionOf(app);
  assertEquals([status, outcome], ["past", "won"]);
  assertEquals((await app.json("/api/v1/auctions")).body.open, []);
  const refused = await bid(app, slug, 5000);
  assertEquals([refused.status, refused.body.error.details.status], [409, "past"]);
});

Deno.test("the first reader closes an auction that no job has closed", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await hold(app, slug, 1000);
  app.clock.set(CLOSE + HOUR_MS);
  assertEquals((await auctionOf(app)).outcome, "won");
  assertEquals(intentOf(app, session).status, "succeeded");
});

Deno.test("readers after a missed close share one attempt to close, and a later reader retries a failed one", async () => {
  let takesWrites = Promise.resolve(true);
  let commits = 0;
  const kv = kvWith(await Deno.openKv(":memory:"), {
    async commit(land) {
      commits++;
      if (await takesWrites) return await land();
      throw new TypeError("Total mutation size too large: a failure that is final at once");
    },
  });
  await using app = await paidApp({ kv });
  const warned: string[] = [];
  app.deps.log.warn = (event) => warned.push(event);
  const { project: { slug } } = await submit(app);
  await hold(app, slug, 1000);
  app.clock.set(CLOSE + HOUR_MS);
  const storage = Promise.withResolvers<boolean>();
  takesWrites = storage.promise;
  commits = 0;
  const shown = await Promise.all(Array.from({ length: 20 }, () => auctionOf(app)));
  for (const { status, outcome } of shown) assertEquals([status, outcome], ["past", null]);
  assertEquals(warned.filter((event) => event === "auction_not_closed").length, 20);
  storage.resolve(false);
  await app.deps.store.transact(() => {}, { queue: `auction:${AUCTION_ID}` });
  assertEquals(commits, 1);
  takesWrites = Promise.resolve(true);
  assertEquals((await auctionOf(app)).outcome, "won");
});

Deno.test("invariant 25: a capture whose response is lost or invalid ends in exactly one charge", async () => {
  for (
    const fault of [
      "lost_after",
      "http_500_after",
      "http_500",
      "http_424",
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
    const captures = app.stripe.requests.filter((line) => line.endsWith("/capture"));
    assertEquals(captures.length, fault.endsWith("_after") ? 1 : 2, `${fault}: looked up first`);
  }
});

Deno.test("a rejected Stripe key delays a capture, but doesn't fail it", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await hold(app, slug, 1000);
  app.clock.set(CLOSE);
  await settleWithRevokedKey(app);
  assertEquals((await auctionOf(app)).outcome, null);
  app.clock.advance(HOUR_MS);
  await settlePayments(app.deps);
  assertEquals((await auctionOf(app)).outcome, "won");
  assertEquals(intentOf(app, session).status, "succeeded");
});

Deno.test("a capture that Stripe rejects temporarily is retried, whatever the status", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await hold(app, slug, 1000);
  app.clock.set(CLOSE);
  const error = { type: "api_error", message: "Not now" };
  let status = 0;
  app.deps.stripe = createStripe({
    secretKey: TEST_KEY,
    fetch: (...request) => {
      const isRefused = status !== 0 && new Request(...request).url.endsWith("/capture");
      return isRefused
        ? Promise.resolve(Response.json({ error }, { status }))
        : app.stripe.fetch(...request);
    },
  });
  for (status of [401, 403, 409, 424, 429, 500]) {
    await settlePayments(app.deps);
    const { outcome } = await auctionOf(app);
    assertEquals([outcome, intentOf(app, session).status], [null, "requires_capture"], `${status}`);
    app.clock.advance(HOUR_MS);
  }
  status = 0;
  await settlePayments(app.deps);
  assertEquals((await auctionOf(app)).outcome, "won");
});

Deno.test("a capture whose hold Stripe doesn't know backs off, and is given up after a day", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { id } = intentOf(app, await hold(app, slug, 1000));
  app.stripe.intents.delete(id);
  app.clock.set(CLOSE);
  const asked = async (hours: number, stepMs: number) => {
    const before = app.stripe.requests.length;
    for (let passed = 0; passed < hours * HOUR_MS; passed += stepMs) {
      app.clock.advance(stepMs);
      await settlePayments(app.deps);
    }
    return app.stripe.requests.slice(before).filter((line) => line.endsWith(`${id}/capture`))
      .length;
  };
  const first = await asked(1, MINUTE_MS);
  assert(first < 15, `asked ${first} times in the first hour`);
  await asked(24, 10 * MINUTE_MS);
  assertEquals(await asked(2, MINUTE_MS), 0);
  assertEquals((await auctionOf(app)).outcome, null);
});

Deno.test("a capture that is still processing at Stripe is waited for, not given up", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const intent = intentOf(app, await hold(app, slug, 1000));
  app.clock.set(CLOSE);
  intent.status = "processing";
  await settlePayments(app.deps);
  assert(await reconcile(app.deps));
  assertEquals((await auctionOf(app)).outcome, null);
  assertEquals((await getPaymentFigures(app.deps)).alerts, []);
  intent.status = "succeeded";
  app.clock.advance(HOUR_MS);
  await settlePayments(app.deps);
  assertEquals((await auctionOf(app)).outcome, "won");
});

Deno.test("a leading hold captured manually before the close wins at the close, without an alert", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await hold(app, slug, 1000);
  app.stripe.captureIntent(intentOf(app, session).id, null);
  app.clock.advance(HOUR_MS);
  assert(await reconcile(app.deps));
  assertEquals(await fateOf(app, session), "completed, high, held");
  app.clock.set(CLOSE);
  await settlePayments(app.deps);
  assertEquals((await auctionOf(app)).outcome, "won");
  assertEquals((await getPaymentFigures(app.deps)).alerts, []);
});

Deno.test("two sites that share a Stripe account each capture their own winner of the week", async () => {
  await using app = await paidApp();
  await using other = await paidApp();
  other.deps.stripe = createStripe({ secretKey: TEST_KEY, fetch: app.stripe.fetch });
  for (const site of [app, other]) {
    const { project: { slug } } = await submit(site);
    app.stripe.pay(await link(site, slug, 1000));
  }
  for (const site of [app, other]) {
    assert(await reconcile(site.deps));
    site.clock.set(CLOSE);
    await settlePayments(site.deps);
    assertEquals((await auctionOf(site)).outcome, "won");
  }
});

Deno.test("a winning hold that can't be captured leaves the slot empty, and nobody else is charged", async () => {
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
  assertEquals(await fateOf(app, loser), "completed, outbid, released");
  assertEquals(await fateOf(app, winner), "completed, capture-failed, released");
  const { alerts } = await getPaymentFigures(app.deps);
  assertEquals(alerts.map(({ what }) => what), ["The winner's hold could not be captured"]);
  app.clock.set(START);
  assertEquals((await app.json("/api/v1/auctions")).body.frontRow, null);
});

Deno.test("an auction without bids ends as no-bids without a job", async () => {
  await using app = await paidApp();
  app.clock.set(CLOSE);
  const auction = await auctionOf(app);
  assertEquals([auction.status, auction.outcome], ["past", "no-bids"]);
  await settlePayments(app.deps);
  assertEquals(app.stripe.requests, []);
});

Deno.test("invariant 27: a bid accepted in the last ten minutes extends the close and is marked as extending", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  app.clock.set(CLOSE - 10 * MINUTE_MS - 1);
  await hold(app, slug, 1000);
  const before = await auctionOf(app);
  assertEquals([before.closesAt, before.extended], [isoTime(CLOSE), false]);
  app.clock.set(CLOSE - 1);
  await hold(app, slug, 1100);
  const auction = await auctionOf(app);
  assertEquals([auction.closesAt, auction.extended], [isoTime(CLOSE + 10 * MINUTE_MS), true]);
  const extending = (bid: { amountCents: number; extended: boolean }) => [
    bid.amountCents,
    bid.extended,
  ];
  assertEquals(auction.bids.map(extending).sort(), [[1000, false], [1100, true]]);
  app.clock.set(CLOSE + 9 * MINUTE_MS);
  assertEquals((await auctionOf(app)).status, "open");
  await hold(app, slug, 1200);
  assertEquals((await auctionOf(app)).closesAt, isoTime(CLOSE + 20 * MINUTE_MS));
});

Deno.test("a renamed listing leads and wins under its new name, but keeps its old name in the history", async () => {
  await using app = await paidApp();
  const { project: { slug }, editKey } = await submit(app, { name: "Before" });
  await hold(app, slug, 1000);
  await app.json(`/api/v1/projects/${slug}`, { method: "PATCH", json: { name: "After" }, editKey });
  assertEquals((await auctionOf(app)).highBidder, { slug, name: "After" });
  app.clock.set(CLOSE);
  await settlePayments(app.deps);
  const { winner, bids } = await auctionOf(app);
  assertEquals([winner.name, bids[0].name], ["After", "Before"]);
  assertEquals(bids[0].listingDigest, listingDigest(slug, "Before"));
  const { body } = await app.json("/api/v1/auctions");
  assertEquals(body.pastWinners[0].name, "After");
});

Deno.test("a winner whose listing is hidden isn't shown in the auction, past winners or Front Row", async () => {
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

Deno.test("only as many past winners are read as are shown", async () => {
  let read = 0;
  const kv = kvListing(await Deno.openKv(":memory:"), ({ key }) => {
    if (key[0] === auctionKeys.all[0]) read++;
  });
  await using app = await paidApp({ kv });
  const { project: { slug } } = await submit(app);
  const won = { bids: 1, lastHash: "", outcome: "won", high: { slug, amountCents: 1000 } };
  for (let week = 1; week <= 45; week++) {
    const startsAt = START - week * 7 * DAY_MS;
    const id = `front-row-${utcDay(startsAt)}`;
    const closesAt = startsAt - DAY_MS;
    await kv.set(auctionKeys.one(id), { ...won, id, closesAt, closedAt: closesAt });
  }
  await app.deps.placements.load();
  read = 0;
  const { body } = await app.json("/api/v1/auctions");
  assertEquals([body.pastWinners.length, read], [LIMITS.winnersShown, LIMITS.winnersShown]);
});

Deno.test("50 bidders in the last second: responses and outcome match a serial order", async () => {
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
  // The history is that serial order: each bid beats the previous one by the minimum.
  let high: number | null = null;
  for (const { slug, amountCents } of accepted) {
    assertEquals(amountCents, byAmount.get(slug));
    const min: number = high === null ? 1000 : high + Math.max(100, Math.ceil(high / 20));
    assert(amountCents >= min, `${amountCents} after ${high}`);
    high = amountCents;
  }
  // Nobody who would have led at the end was refused, and only one hold is kept.
  for (const [i, amount] of amounts.entries()) {
    if (accepted.some(({ slug }) => slug === slugs[i])) continue;
    assert(amount < high! + Math.max(100, Math.ceil(high! / 20)));
  }
  const held = sessions.filter((session) => intentOf(app, session).status === "requires_capture");
  assertEquals(held.length, 1);
  assertEquals(intentOf(app, held[0]!).metadata.slug, accepted.at(-1)!.slug);
  // The first bid extended the close, so the others came before the last ten minutes.
  assertEquals(auction.closesAt, isoTime(CLOSE + 10 * MINUTE_MS));
});

Deno.test("invariant 25: a refused capture isn't retried because another process failed at it in the meantime", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const winner = await hold(app, slug, 1000);
  app.clock.set(CLOSE);
  app.stripe.fail("lost_before", /capture$/);
  await settlePayments(app.deps);
  app.clock.advance(MINUTE_MS);
  const at = (capture: () => Promise<Response>): Deps => ({
    ...app.deps,
    stripe: createStripe({
      secretKey: TEST_KEY,
      fetch: (input, init) =>
        String(input).endsWith("/capture") ? capture() : app.stripe.fetch(input, init),
    }),
  });
  const refused = { error: { type: "card_error", code: "card_declined" } };
  const unavailable = at(() => Promise.resolve(Response.json({}, { status: 503 })));
  await repeatOperations(at(async () => {
    await repeatOperations(unavailable);
    app.stripe.fail("http_500", /cancel$/);
    return Response.json(refused, { status: 402 });
  }));
  assertEquals((await auctionOf(app)).outcome, "capture-failed");
  app.clock.advance(MINUTE_MS);
  await settlePayments(app.deps);
  assertEquals(intentOf(app, winner).status, "canceled");
});

Deno.test("closing an auction again, as another process may, doesn't log its outcome again", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await link(app, slug, 1000);
  app.clock.set(CLOSE);
  await settlePayments(app.deps);
  const outcomes = async () => {
    const changes = await listValues<Change>(app.deps.store, storeKeys.changes);
    return changes.filter(({ slug }) => slug === "front-row").map(({ event }) => event);
  };
  assertEquals(await outcomes(), ["no-bids"]);
  // As by a bid link requested just before the close, in another process.
  const key = auctionKeys.unsettled(AUCTION_ID);
  await app.deps.store.transact((tx) => tx.set(key, true));
  await closeAuction(app.deps, AUCTION_ID);
  assertEquals(await outcomes(), ["no-bids"]);
  assertEquals((await app.deps.store.get(key)).value, null);
});
