import { assertEquals, assertStringIncludes } from "@std/assert";
import { jobs, runJob } from "@/lib/app/crons.ts";
import { endSalesWhenTakenDown } from "@/lib/app/taken_down.ts";
import { auctionKeys } from "@/lib/auctions/keys.ts";
import type { StoredEntry } from "@/lib/auctions/schema.ts";
import { DAY_MS, isoTime } from "@/lib/clock.ts";
import { alertOperator } from "@/lib/payments/alerts.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { operator, operatorJson } from "../support/operator.ts";
import { AUCTION_ID, type PaidApp, paidApp } from "../support/payments.ts";
import { buy } from "../support/promotions.ts";
import { until } from "../support/until.ts";

async function bid(app: PaidApp, slug: string, amountCents: number) {
  const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amountCents },
    headers: { "X-Agent-Name": "Bidder" },
  });
  app.stripe.pay(app.sessionOf(body.checkoutUrl));
  await app.deliverAll();
}

Deno.test("operator auctions list and show print bids, holds and whether the hash chain is intact", async () => {
  await using app = await paidApp();
  assertEquals((await operator(app, "auctions", "show", "front-row-2026-11-24")).status, 1);
  const { project: { slug } } = await submit(app);
  await bid(app, slug, 1000);
  await bid(app, slug, 1100);
  const list = await operatorJson(app, "auctions", "list");
  assertEquals(list.auctions, [{
    id: AUCTION_ID,
    status: "open",
    outcome: null,
    closesAt: "2026-11-22T00:00:00.000Z",
    bids: 2,
    high: { slug, amountCents: 1100 },
  }]);
  const { project: other } = await submit(app);
  for (const [of, amounts] of [[slug, [1000, 1100]], [other.slug, []]] as const) {
    const { listings } = JSON.parse((await operator(app, "export", "listing", of)).stdout);
    assertEquals(
      listings[0].bids.map((b: Record<string, unknown>) => [b.auction, b.amountCents]),
      amounts.map((amount) => [AUCTION_ID, amount]),
    );
  }
  const body = await operatorJson(app, "auctions", "show", AUCTION_ID);
  assertEquals(body.chainHolds, true);
  assertEquals(
    body.bids.map((b: Record<string, unknown>) => [b.amountCents, b.state, b.hold, b.agentName]),
    [[1000, "outbid", "released", "Bidder"], [1100, "high", "held", "Bidder"]],
  );
  app.clock.set(Date.parse("2026-11-22T12:00:00Z"));
  assertEquals((await operator(app, "auctions", "list")).stdout.split("\n"), [
    "front-row-2026-11-30  upcoming  closes 2026-11-29T00:00:00.000Z  0 bids",
    `${AUCTION_ID}  past  closes 2026-11-22T00:00:00.000Z  2 bids  ${slug} $11.00`,
    "",
  ]);
  const { kv } = app.deps.store;
  const chainHolds = async () =>
    (await operatorJson(app, "auctions", "show", AUCTION_ID)).chainHolds;
  const [first, last] = await Array.fromAsync(
    app.deps.store.list<StoredEntry>({ prefix: auctionKeys.history(AUCTION_ID) }),
  );
  await kv.atomic().delete(last!.key).commit();
  assertEquals(await chainHolds(), false);
  await kv.atomic().set(last!.key, last!.value).commit();
  assertEquals(await chainHolds(), true);
  await kv.atomic().set(first!.key, { ...first!.value, amountCents: 999 }).commit();
  assertEquals(await chainHolds(), false);
});

Deno.test("operator gems set refuses a listing that was paid for", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await buy(app, slug, "bump-3");
  const { status, stderr } = await operator(app, "gems", "set", slug, "--note", "Well made");
  assertEquals(status, 1);
  assertStringIncludes(stderr, "must never have been promoted or sponsored");
});

Deno.test("operator auctions list shows the next auction while none is open", async () => {
  await using app = await paidApp();
  app.clock.set(Date.parse("2026-11-22T12:00:00Z"));
  const body = await operatorJson(app, "auctions", "list");
  assertEquals(
    body.auctions.map((a: Record<string, unknown>) => [a.id, a.status]),
    [["front-row-2026-11-30", "upcoming"]],
  );
});

Deno.test("operator auctions list shows a closed auction as past even if the clock was set back", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await bid(app, slug, 1000);
  const close = Date.parse("2026-11-22T00:00:00Z");
  app.clock.set(close);
  await settlePayments(app.deps);
  app.clock.set(close - DAY_MS);
  const body = await operatorJson(app, "auctions", "list");
  assertEquals([body.auctions[0].status, body.auctions[0].outcome], ["past", "won"]);
});

Deno.test("operator payments close and open control whether anything is sold", async () => {
  await using app = await paidApp();
  const isClosed = async () =>
    (await operatorJson(app, "payments", "status")).payments.paymentsClosed;
  await operator(app, "payments", "close");
  assertEquals((await app.json("/api/v1/promote")).body.paymentsOpen, false);
  assertEquals((await app.json("/api/v1/health")).body.payments.open, false);
  assertEquals(await isClosed(), true);
  await operator(app, "payments", "open");
  assertEquals(await isClosed(), false);
  const { project: { slug } } = await submit(app);
  const answer = await app.json("/api/v1/promote", { json: { slug, tierId: "bump-3" } });
  assertEquals(answer.status, 200);
});

Deno.test("operator listings hide cancels the listing's renewals and expires its links immediately", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await buy(app, slug, "boost-7", true);
  const link = await app.json("/api/v1/promote", { json: { slug, tierId: "bump-3" } });
  const session = app.stripe.sessions.get(app.sessionOf(link.body.checkoutUrl))!;
  const stop = endSalesWhenTakenDown(app.deps);
  assertEquals((await operator(app, "listings", "hide", slug, "--dry-run")).status, 0);
  const [subscription] = app.stripe.subscriptions.values();
  assertEquals(subscription!.status, "active");
  assertEquals((await operator(app, "listings", "hide", slug)).status, 0);
  await until("the renewal is canceled", () => subscription!.status === "canceled");
  await until("the open link is expired", () => session.status === "expired");
  stop();
  await app.deps.sync.caughtUp();
});

Deno.test("operator listings show prints a listing's purchases, renewals and customer", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const bought = async () => (await operatorJson(app, "listings", "show", slug)).listing;
  const { promotion, renewals, billing } = await bought();
  assertEquals([promotion, renewals, billing], [null, [], null]);
  await buy(app, slug, "boost-7", true);
  const { id, customer } = app.stripe.subscriptions.values().next().value!;
  const paid = await bought();
  assertEquals(Object.keys(paid.promotion.left), ["boost-7"]);
  assertEquals(paid.renewals.map((renewal: { id: string }) => renewal.id), [id]);
  assertEquals(paid.billing.customerId, customer);
  await operator(app, "listings", "hide", slug, "--reason", "terms");
  const hidden = await bought();
  assertEquals([hidden.promotion, hidden.renewals], [paid.promotion, []]);
});

Deno.test("operator status shows the last run of every job, even of one that only the servers have", async () => {
  await using app = await testApp();
  const job = jobs.find(({ name }) => name === "settle-payments")!;
  assertEquals(app.deps.jobs.includes(job), false);
  await runJob(app.deps, job);
  const { name } = job;
  const lastRunAt = isoTime(app.clock.now());
  assertEquals((await operatorJson(app, "status")).status.jobs, [{ name, lastRunAt, ok: true }]);
});

Deno.test("operator status prints listing counts, payment figures and the latest alerts, newest first", async () => {
  await using app = await paidApp();
  await submit(app);
  for (let i = 0; i < 21; i++) {
    await alertOperator(app.deps, `Alert ${i}`, {});
    app.clock.advance(1);
  }
  const body = await operatorJson(app, "status");
  const alerts = body.status.payments.alerts.map(({ what }: { what: string }) => what);
  assertEquals(alerts, Array.from({ length: 20 }, (_, i) => `Alert ${20 - i}`));
  assertEquals(body.status.listings, { live: 1, pending: 0, hidden: 0, withdrawn: 0 });
  assertEquals(body.status.switches.paymentsClosed, false);
  assertStringIncludes(JSON.stringify(body.status.payments), "stuckOperations");
});
