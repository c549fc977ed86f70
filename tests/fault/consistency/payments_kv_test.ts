import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { KvLike } from "@/lib/kv/store.ts";
import type { StripeDeps } from "@/lib/payments/deps.ts";
import { applySession } from "@/lib/payments/events.ts";
import { createStripe } from "@/lib/payments/stripe.ts";
import { CLOSE } from "../../auctions/bidding.ts";
import { testApp } from "../../support/app.ts";
import { kvWith } from "../../support/kv_with.ts";
import { submit } from "../../support/listings.ts";
import { AUCTION_ID, AUCTION_NOW } from "../../support/payments.ts";
import { StripeDouble, TEST_KEY, TEST_SECRET } from "../../support/stripe_double.ts";

/** A KV whose commits follow `mode`: succeed, always conflict, or fail. */
function moodyKv(kv: Deno.Kv, mode: { value: "works" | "conflicts" | "fails" }): KvLike {
  return kvWith(kv, {
    commit(land) {
      if (mode.value === "conflicts") return Promise.resolve({ ok: false });
      if (mode.value === "fails") return Promise.reject(new Error("disk I/O error"));
      return land();
    },
  });
}

async function moodyApp() {
  const mode = { value: "works" as "works" | "conflicts" | "fails" };
  const stripe = new StripeDouble(() => AUCTION_NOW);
  const app = await testApp({
    now: AUCTION_NOW,
    kv: moodyKv(await Deno.openKv(":memory:"), mode),
    env: { STRIPE_SECRET_KEY: TEST_KEY, STRIPE_WEBHOOK_SECRET: TEST_SECRET },
  });
  app.deps.stripe = createStripe({ secretKey: TEST_KEY, fetch: stripe.fetch });
  return { app, stripe, mode };
}

Deno.test("a bid with too many conflicts gets a 409 busy with Retry-After, without calling Stripe", async () => {
  const { app, stripe, mode } = await moodyApp();
  await using _ = app;
  const { project: { slug } } = await submit(app);
  mode.value = "conflicts";
  const { status, headers, body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amountCents: 1000 },
  });
  assertEquals([status, body.error.code], [409, "busy"]);
  assert(Number(headers.get("retry-after")) > 0);
  const shown = await app.request(`/auctions/${AUCTION_ID}`, {
    form: { slug, amount: "10" },
  });
  assertEquals(shown.status, 409);
  assertStringIncludes(await shown.text(), `value="${slug}"`);
  assertEquals(stripe.requests, []);
});

Deno.test("a webhook that KV can't store gets a 5xx, and counts once when Stripe resends it", async () => {
  const { app, stripe, mode } = await moodyApp();
  await using _ = app;
  const { project: { slug } } = await submit(app);
  const order = await app.json("/api/v1/promote", { json: { slug, tierId: "bump-3" } });
  stripe.pay(order.body.checkoutUrl.split("/").at(-1));
  const event = stripe.events.find((e) => e.type === "checkout.session.completed")!;
  const send = async () => {
    const request = stripe.webhook(event);
    return await app.request("/api/stripe/webhook", {
      method: "POST",
      headers: request.headers,
      body: await request.text(),
    });
  };
  mode.value = "fails";
  assertEquals((await send()).status, 503);
  mode.value = "works";
  assertEquals((await send()).status, 200);
  assertEquals((await send()).status, 200);
  await app.deps.placements.caughtUp();
  const { body } = await app.json(`/api/v1/projects/${slug}`);
  assertEquals(body.project.promotion.endsAt, "2026-11-21T12:00:00.000Z");
});

Deno.test("an order that KV can't store gets storage_unavailable, without calling Stripe", async () => {
  const { app, stripe, mode } = await moodyApp();
  await using _ = app;
  const { project: { slug } } = await submit(app);
  mode.value = "fails";
  const { status, body } = await app.json("/api/v1/promote", { json: { slug, tierId: "bump-3" } });
  assertEquals([status, body.error.code], [503, "storage_unavailable"]);
  assertEquals(stripe.requests, []);
});

Deno.test("an auction past its close is shown while KV can't write, and is closed once it can", async () => {
  const { app, stripe, mode } = await moodyApp();
  await using _ = app;
  const { project: { slug } } = await submit(app);
  const bid = { json: { slug, amountCents: 1000 } };
  const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, bid);
  const session = body.checkoutUrl.split("/").at(-1);
  stripe.pay(session);
  await applySession(app.deps as StripeDeps, session, null);
  app.clock.set(CLOSE);
  const show = async () => (await app.json(`/api/v1/auctions/${AUCTION_ID}`)).body;
  mode.value = "fails";
  const { auction } = await show();
  assertEquals([auction.status, auction.outcome, auction.highBidCents], ["past", null, 1000]);
  assertEquals((await app.json("/api/v1/auctions")).status, 200);
  mode.value = "works";
  assertEquals((await show()).auction.outcome, "won");
});
