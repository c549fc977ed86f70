import { assert, assertEquals, assertRejects } from "@std/assert";
import { auctionKeys } from "@/lib/auctions/keys.ts";
import { releaseOf } from "@/lib/auctions/operations.ts";
import type { StoredAuction } from "@/lib/auctions/schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { listIds } from "@/lib/kv/ranges.ts";
import { Store } from "@/lib/kv/store.ts";
import { reconcilePayments, settlePayments } from "@/lib/payments/jobs.ts";
import { paymentKeys } from "@/lib/payments/keys.ts";
import { queueOperation } from "@/lib/payments/operations.ts";
import { promotionKeys } from "@/lib/promotions/keys.ts";
import { CLOSE } from "../auctions/bidding.ts";
import { kvListing, overtakenKv } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { AUCTION_ID, type PaidApp, paidApp } from "../support/payments.ts";

const release = releaseOf({ intentId: "pi_elsewhere", bidId: "bid_x" });

/** How many reads `run` made at Stripe. */
async function reads(app: PaidApp, run: () => Promise<unknown>): Promise<number> {
  const before = app.stripe.requests.length;
  await run();
  return app.stripe.requests.slice(before).filter((line) => line.startsWith("GET")).length;
}

Deno.test("only one of two processes whose jobs start together reads Stripe, again each time", async () => {
  await using app = await paidApp();
  const alone = await reads(app, () => reconcilePayments(app.deps));
  assert(alone > 0);
  const late = { ...app.deps, clock: { now: () => app.clock.now() - MINUTE_MS } };
  for (const starters of [[app.deps, late], [late, app.deps]]) {
    // Into another hour by both clocks, whichever is ahead.
    app.clock.advance(90 * MINUTE_MS);
    const both = () => Promise.all(starters.map(reconcilePayments));
    assertEquals(await reads(app, both), alone);
    assertEquals(await reads(app, () => reconcilePayments(late)), 0);
  }
});

Deno.test("a process without a Stripe key leaves the run to those that have one", async () => {
  await using app = await paidApp();
  await reconcilePayments({ ...app.deps, stripe: null });
  assert(await reads(app, () => reconcilePayments(app.deps)) > 0);
});

Deno.test("a failed reconciliation can be rerun immediately", async () => {
  await using app = await paidApp();
  app.stripe.fail("http_500", /^GET/);
  await assertRejects(() => reconcilePayments(app.deps), Error, "incomplete");
  assert(await reads(app, () => reconcilePayments(app.deps)) > 0);
});

Deno.test("checking whether Stripe can have news reads one renewal, however many are live", async () => {
  let renewals = 0;
  const kv = kvListing(await Deno.openKv(":memory:"), ({ key }) => {
    if (key[0] === promotionKeys.allByTier[0]) renewals++;
  });
  await using app = await paidApp({ kv });
  await reconcilePayments(app.deps);
  for (let i = 0; i < 30; i++) {
    await kv.set(promotionKeys.byTier(`listing-${i}`, "boost-7"), `sub_${i}`);
  }
  app.clock.advance(10 * MINUTE_MS);
  assertEquals(await reads(app, () => reconcilePayments(app.deps)), 1);
  assertEquals(renewals, 1);
});

/** An app whose job has found nothing to do; another process can write to its KV. */
async function restingApp(): Promise<PaidApp> {
  const app = await paidApp();
  await settlePayments(app.deps);
  assertEquals(await settlePayments(app.deps), false);
  return app;
}

async function waits(app: PaidApp): Promise<number> {
  return (await listIds(app.deps.store, paymentKeys.operations)).length;
}

Deno.test("the next run picks up what another process queued, even if nothing was due before", async () => {
  await using app = await restingApp();
  const other = new Store(app.deps.store.kv, app.clock);
  app.stripe.fail("http_500", /cancel$/);
  await other.transact((tx) => queueOperation(tx, release));
  assertEquals(await settlePayments(app.deps), true);
  assertEquals(app.stripe.requests.filter((line) => line.endsWith("/cancel")).length, 1);
  // Its due time is known, so no run looks earlier.
  assertEquals(await settlePayments(app.deps), false);
  const asked = app.stripe.requests.length;
  assertEquals(await settlePayments(app.deps), false);
  assertEquals(app.stripe.requests.length, asked);
  app.clock.advance(MINUTE_MS);
  assertEquals(await settlePayments(app.deps), true);
  assert(app.stripe.requests.length > asked);
});

Deno.test("an operation queued while a run looks for work isn't missed by the next run", async () => {
  const { kv, others, overtake } = await overtakenKv();
  await using app = await paidApp({ kv });
  const other = new Store(others, app.clock);
  // The run has found nothing and is about to record that.
  overtake(() => other.transact((tx) => queueOperation(tx, release)));
  assertEquals(await settlePayments(app.deps), false);
  assertEquals(await waits(app), 1);
  assertEquals(await settlePayments(app.deps), true);
});

Deno.test("the first run after an auction's close closes it, even if nothing was due until then", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, { json: { slug, amountCents: 1000 } });
  const outcome = async () =>
    (await app.deps.store.get<StoredAuction>(auctionKeys.one(AUCTION_ID))).value?.outcome;
  for (const at of [CLOSE - DAY_MS, CLOSE - MINUTE_MS, CLOSE - 1]) {
    app.clock.set(at);
    assertEquals(await settlePayments(app.deps), false);
    assertEquals(await outcome(), undefined);
  }
  app.clock.set(CLOSE);
  await settlePayments(app.deps);
  assertEquals(await outcome(), "no-bids");
});

Deno.test("a run looks again if the time it waits for came from a fast clock", async () => {
  await using app = await paidApp();
  await app.deps.store.transact((tx) => queueOperation(tx, release));
  app.clock.advance(DAY_MS);
  app.stripe.fail("http_500", /cancel$/);
  await settlePayments(app.deps);
  assertEquals(await settlePayments(app.deps), false);
  app.clock.advance(-DAY_MS);
  assertEquals(await settlePayments(app.deps), true);
});

Deno.test("the hourly check finds what an older version queued without a due time", async () => {
  await using app = await restingApp();
  await app.deps.store.transact((tx) => queueOperation(tx, release));
  await app.deps.store.transact((tx) => tx.set(paymentKeys.health("due"), Infinity));
  assertEquals(await settlePayments(app.deps), false);
  app.clock.advance(HOUR_MS);
  const asked = app.stripe.requests.length;
  await reconcilePayments(app.deps);
  assert(app.stripe.requests.slice(asked).some((line) => line.endsWith("/cancel")));
});
