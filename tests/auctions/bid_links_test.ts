import { assert, assertEquals } from "@std/assert";
import { auctionKeys } from "@/lib/auctions/keys.ts";
import type { StoredAuction } from "@/lib/auctions/schema.ts";
import { HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { showAuctionRecord } from "@/lib/operator/auctions.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { setSwitches } from "@/lib/switches.ts";
import { testApp } from "../support/app.ts";
import { overtakenKv } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { AUCTION_ID, AUCTION_NOW, paidApp } from "../support/payments.ts";
import { bid, CLOSE, fateOf, hold, link } from "./bidding.ts";

Deno.test("a network's 21st bid link within an hour is refused", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const send = () =>
    app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
      json: { slug, amountCents: 1000 },
      address: "203.0.113.98",
    });
  for (let i = 0; i < 20; i++) assertEquals((await send()).status, 201);
  app.clock.advance(HOUR_MS - 1);
  assertEquals((await send()).body.error.code, "rate_limited");
  app.clock.advance(1);
  assertEquals((await send()).status, 201);
});

Deno.test("a bid retried with its Idempotency-Key gets the same link, even after it is paid", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { project: another } = await submit(app);
  const send = (amountCents: number, bidder = slug) =>
    app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
      json: { slug: bidder, amountCents },
      headers: { "Idempotency-Key": "bid-1" },
    });
  const { status, body } = await send(1000);
  assertEquals(status, 201);
  assertEquals((await send(1000)).body.checkoutUrl, body.checkoutUrl);
  const other = await send(1000, another.slug);
  assertEquals([other.status, other.body.error?.details[0].field], [400, "Idempotency-Key"]);
  app.stripe.pay(app.sessionOf(body.checkoutUrl));
  await app.deliverAll();
  assertEquals((await send(1000)).body.checkoutUrl, body.checkoutUrl);
  assertEquals((await send(1200)).body.error.code, "invalid_input");
  assertEquals(app.stripe.sessions.size, 1);
});

Deno.test("an Idempotency-Key gets a new link if the first expired or Stripe's response was lost", async () => {
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
  for (
    const [fault, minutes] of [["lost_before", 5], ["lost_after", 5], ["lost_after", 40]] as const
  ) {
    app.stripe.fail(fault, /POST/);
    const key = `${fault} ${minutes}`;
    assertEquals((await send(key)).status, 502);
    // The first attempt's expiry is now closer than Stripe accepts, or past.
    app.clock.advance(minutes * MINUTE_MS);
    const { status, body } = await send(key);
    assertEquals(status, 201, key);
    assertEquals(app.stripe.sessions.get(app.sessionOf(body.checkoutUrl))!.status, "open");
  }
});

Deno.test("an Idempotency-Key gets a new link if the first expired after the card was declined", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const send = async () => {
    const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
      json: { slug, amountCents: 1000 },
      headers: { "Idempotency-Key": "declined" },
    });
    return app.sessionOf(body.checkoutUrl);
  };
  const first = await send();
  assertEquals(app.stripe.pay(first, { declined: true }), false);
  app.clock.advance(31 * MINUTE_MS);
  app.stripe.passTime();
  await app.deliverAll();
  assertEquals(app.stripe.intents.size, 1);
  assertEquals(await fateOf(app, first), "expired, lapsed, released");
  const second = await send();
  assertEquals(app.stripe.sessions.get(second)!.status, "open");
  assert(app.stripe.pay(second));
  await app.deliverAll();
  assertEquals(await fateOf(app, second), "completed, high, held");
});

Deno.test("retrying a bid that never got a link checks the minimum and the close again", async () => {
  await using app = await paidApp({ now: CLOSE - HOUR_MS });
  const { project: { slug } } = await submit(app);
  const send = (key: string, amountCents: number) =>
    app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
      json: { slug, amountCents },
      headers: { "Idempotency-Key": key },
    });
  const faults = ["http_500", "http_402", "lost_after"] as const;
  for (const fault of faults) {
    app.stripe.fail(fault, /POST/);
    assertEquals((await send(fault, 1000)).status, 502);
  }
  const given = (await send("given", 2000)).body.checkoutUrl;
  assert(app.stripe.pay(app.sessionOf(given)));
  await app.deliverAll();
  const made = app.stripe.sessions.size;
  for (const [at, code] of [[-HOUR_MS, "bid_too_low"], [0, "auction_not_open"]] as const) {
    app.clock.set(CLOSE + at);
    for (const fault of faults) {
      assertEquals((await send(fault, 1000)).body.error?.code, code, fault);
    }
    assertEquals((await send("given", 2000)).body.checkoutUrl, given);
  }
  assertEquals(app.stripe.sessions.size, made);
});

Deno.test("a bid without a Stripe link isn't pending until a retry makes one", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const waiting = async () => (await showAuctionRecord(app.deps, AUCTION_ID)).pending.length;
  const send = () =>
    app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
      json: { slug, amountCents: 1000 },
      headers: { "Idempotency-Key": "once" },
    });
  app.stripe.fail("http_402", /POST/);
  assertEquals((await send()).status, 502);
  assertEquals(await waiting(), 0);
  assertEquals((await send()).status, 201);
  assertEquals(await waiting(), 1);
});

for (
  const [change, status, code] of [
    ["is outbid", 400, "bid_too_low"],
    ["misses the close", 409, "auction_not_open"],
  ] as const
) {
  Deno.test(`a bid that ${change} while its link is being made is refused, and the link expires`, async () => {
    await using app = await paidApp({ now: CLOSE - MINUTE_MS / 2 });
    const { project: { slug } } = await submit(app);
    const leader = await link(app, slug, 3000);
    app.stripe.latency = async () => {
      app.stripe.latency = () => Promise.resolve();
      if (change === "is outbid") {
        app.stripe.pay(leader);
        await app.deliverAll();
      } else {
        app.clock.set(CLOSE);
        await settlePayments(app.deps);
      }
    };
    const send = () =>
      app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
        json: { slug, amountCents: 2000 },
        headers: { "Idempotency-Key": change },
      });
    const late = await send();
    assertEquals([late.status, late.body.error.code], [status, code]);
    if (status === 400) assertEquals(late.body.error.details.minNextBidCents, 3150);
    assertEquals((await send()).body.error, late.body.error);
    await settlePayments(app.deps);
    const links = [...app.stripe.sessions.values()].map(({ status }) => status);
    assertEquals(links, [change === "is outbid" ? "complete" : "expired", "expired"]);
  });
}

Deno.test("a bid that another process outbids while its link is being stored is refused", async () => {
  const { kv, others, overtake } = await overtakenKv();
  await using app = await paidApp({ kv });
  const { project: { slug } } = await submit(app);
  await hold(app, slug, 1000);
  app.stripe.latency = () => {
    app.stripe.latency = () => Promise.resolve();
    overtake(async () => {
      const key = auctionKeys.one(AUCTION_ID);
      const { value } = await others.get<StoredAuction>(key);
      await others.set(key, { ...value!, high: { ...value!.high!, amountCents: 3000 } });
    });
    return Promise.resolve();
  };
  const { status, body } = await bid(app, slug, 2000);
  assertEquals([status, body.error?.code], [400, "bid_too_low"]);
  assertEquals(body.error!.message, "The bid is below the minimum next bid of $31.50");
  await settlePayments(app.deps);
  const links = [...app.stripe.sessions.values()].map(({ status }) => status);
  assertEquals(links, ["complete", "expired"]);
});

Deno.test("a bidder's mistakes are reported before payments_disabled, even if the auction isn't open", async () => {
  await using app = await testApp({ now: AUCTION_NOW });
  const { project: { slug } } = await submit(app);
  for (const id of [AUCTION_ID, "front-row-2026-11-30", "front-row-2026-11-16"]) {
    for (
      const [body, code] of [
        [{ slug }, "invalid_input"],
        [{ slug, amountCents: "1000" }, "invalid_amount"],
        [{ slug, amountCents: 97_099_970 }, "amount_too_high"],
        [{ slug: "nobody", amountCents: 1000 }, "not_found"],
        [{ slug, amountCents: 0 }, "bid_too_low"],
        [{ slug, amountCents: 999 }, "bid_too_low"],
        [{ slug, amountCents: 1000 }, "payments_disabled"],
      ] as const
    ) {
      const answer = await app.json(`/api/v1/auctions/${id}/bids`, { json: body });
      assertEquals(answer.body.error.code, code, `${JSON.stringify(body)} on ${id}`);
      if (code !== "bid_too_low") continue;
      assertEquals(answer.body.error.details, { minNextBidCents: 1000, minNextBid: "$10.00" });
    }
  }
  for (const id of ["nothing", "front-row-2026-11-24"]) {
    const json = { slug, amountCents: 1000 };
    const { body } = await app.json(`/api/v1/auctions/${id}/bids`, { json });
    assertEquals(body.error.code, "not_found", id);
  }
});

Deno.test("bids return payments_disabled without a Stripe key and while payments are closed", async () => {
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

Deno.test("an agent name of over 60 characters is invalid_input on a bid", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amountCents: 1000 },
    headers: { "X-Agent-Name": "x".repeat(61) },
  });
  assertEquals([body.error.code, body.error.details[0].field], ["invalid_input", "X-Agent-Name"]);
});
