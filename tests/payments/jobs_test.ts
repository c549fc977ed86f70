import { assert, assertEquals, assertRejects } from "@std/assert";
import { MINUTE_MS } from "@/lib/clock.ts";
import { reconcilePayments } from "@/lib/payments/jobs.ts";
import { promotionKeys } from "@/lib/promotions/keys.ts";
import { kvListing } from "../support/kv_with.ts";
import { type PaidApp, paidApp } from "../support/payments.ts";

/** How often Stripe was read while `run` ran. */
async function reads(app: PaidApp, run: () => Promise<unknown>): Promise<number> {
  const before = app.stripe.requests.length;
  await run();
  return app.stripe.requests.slice(before).filter((line) => line.startsWith("GET")).length;
}

Deno.test("of two processes whose jobs start together one reads Stripe, and the next time again", async () => {
  await using app = await paidApp();
  const alone = await reads(app, () => reconcilePayments(app.deps));
  assert(alone > 0);
  const late = { ...app.deps, clock: { now: () => app.clock.now() - MINUTE_MS } };
  for (const starters of [[app.deps, late], [late, app.deps]]) {
    // Into another hour by both clocks, whichever of them is first.
    app.clock.advance(90 * MINUTE_MS);
    const both = () => Promise.all(starters.map(reconcilePayments));
    assertEquals(await reads(app, both), alone);
    assertEquals(await reads(app, () => reconcilePayments(late)), 0);
  }
});

Deno.test("a process without Stripe's key leaves the turn to those that have it", async () => {
  await using app = await paidApp();
  await reconcilePayments({ ...app.deps, stripe: null });
  assert(await reads(app, () => reconcilePayments(app.deps)) > 0);
});

Deno.test("a reconciliation that failed may be run again at once", async () => {
  await using app = await paidApp();
  app.stripe.fail("http_500", /^GET/);
  await assertRejects(() => reconcilePayments(app.deps), Error, "incomplete");
  assert(await reads(app, () => reconcilePayments(app.deps)) > 0);
});

Deno.test("whether there can be news at Stripe is asked of one renewal, however many live", async () => {
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
