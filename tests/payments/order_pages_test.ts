import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { settleHigh } from "@/lib/auctions/settle.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { writeCheckout } from "@/lib/payments/checkout.ts";
import { paymentKeys } from "@/lib/payments/keys.ts";
import type { Checkout } from "@/lib/payments/schema.ts";
import { CLOSE, hide, hold, link } from "../auctions/bidding.ts";
import { submit } from "../support/listings.ts";
import { AUCTION_ID, type PaidApp, paidApp } from "../support/payments.ts";
import { words } from "../support/words.ts";

/** Orders a promotion; returns the session of its link. */
async function order(app: PaidApp, json: Record<string, unknown>): Promise<string> {
  const { body } = await app.json("/api/v1/promote", { json: { tierId: "bump-3", ...json } });
  return app.sessionOf(body.checkoutUrl);
}

/** The page of a session's order or bid, before and after payment. */
function pageOf(app: PaidApp, session: string): string {
  return `/checkout/pay?order=${app.stripe.sessions.get(session)!.client_reference_id}`;
}

/** What payers read when they return from Stripe. The order's page must lead to the same. */
async function comeBack(app: PaidApp, session: string): Promise<string> {
  const { pathname, search } = new URL(app.stripe.sessions.get(session)!.success_url);
  const said = await words(app, pathname + search);
  const { headers } = await app.request(pageOf(app, session));
  assertEquals(headers.get("location") ?? pathname + search, pathname + search);
  return said;
}

Deno.test("the page of an order whose promotion is over says so", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await order(app, { slug });
  app.stripe.pay(session);
  assertStringIncludes(await comeBack(app, session), "Your payment is being confirmed");
  await app.deliverAll();
  const running = await comeBack(app, session);
  assertMatch(
    running,
    /Project \d+ .* Bump Until Nov 21, 2026 at 12:00 UTC Total \$5\.46 See the project/,
  );
  app.clock.advance(10 * DAY_MS);
  const said = await comeBack(app, session);
  assertStringIncludes(
    said,
    "This promotion has ended The promotion ran until Nov 21, 2026 at 12:00",
  );
  // A new order whose first payment is pending doesn't depend on the promotion that is over.
  for (const autoRenew of [false, true]) {
    const next = await order(app, { slug, tierId: "boost-7", autoRenew });
    app.stripe.pay(next, { delayed: true });
    await app.deliverAll();
    assertStringIncludes(await comeBack(app, next), "Your payment is being confirmed");
  }
});

Deno.test("the page of an unconfirmed order doesn't show the earlier time as the total", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  app.stripe.pay(await order(app, { slug }));
  await app.deliverAll();
  const more = await order(app, { slug, tierId: "boost-7" });
  app.stripe.pay(more);
  const heading = "Your time will be added once the payment is confirmed";
  const waits = [
    heading,
    "Refresh this page",
  ];
  const before = await comeBack(app, more);
  for (const part of waits) assertStringIncludes(before, part);
  await app.deliverAll();
  const said = await comeBack(app, more);
  assertStringIncludes(said, "Your project is promoted");
  for (const part of waits) assertEquals(said.includes(part), false, part);
  // A renewal's time comes with its invoice, which can follow the completed order.
  app.clock.advance(1_000);
  const renewal = await order(app, { slug, tierId: "boost-7", autoRenew: true });
  app.stripe.pay(renewal);
  const id = app.stripe.sessions.get(renewal)!.client_reference_id!;
  const { value } = await app.deps.store.get<Checkout>(paymentKeys.checkout(id));
  await app.deps.store.transact((tx) => writeCheckout(tx, { ...value!, status: "completed" }));
  assertStringIncludes(await comeBack(app, renewal), heading);
  await app.deliverAll();
  const renewed = await comeBack(app, renewal);
  assertStringIncludes(renewed, "Your project is promoted");
  assertStringIncludes(renewed, "Renews every week until you cancel on the project's billing page");
});

Deno.test("the page of a renewing order stops saying that it renews once that is canceled", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await order(app, { slug, tierId: "boost-7", autoRenew: true });
  app.stripe.pay(session);
  await app.deliverAll();
  const renews = async () => (await comeBack(app, session)).includes("Renews every week");
  assertEquals(await renews(), true);
  const id = app.stripe.sessions.get(session)!.subscription!;
  app.stripe.cancelLater(id, true);
  await app.deliverAll();
  assertEquals(await renews(), false, "canceled at the end of the period");
  app.stripe.cancelSubscription(id);
  await app.deliverAll();
  assertEquals(await renews(), false, "ended");
  app.stripe.pay(await order(app, { slug, tierId: "boost-7", autoRenew: true }));
  await app.deliverAll();
  assertEquals(await renews(), false, "another order renews");
});

Deno.test("a granted order's page doesn't wait for payment if the clock was set back after the order", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await order(app, { slug });
  app.clock.advance(-HOUR_MS);
  // Stripe's clock was right all along.
  app.stripe.sessions.get(session)!.created = app.stripe.now;
  app.stripe.pay(session);
  await app.deliverAll();
  assertStringIncludes(await comeBack(app, session), "Your project is promoted");
});

Deno.test("leaving a checkout returns to the form with the tier and the renewal chosen as before", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  for (const autoRenew of [true, false]) {
    const session = await order(app, { slug, tierId: "boost-7", autoRenew });
    const { pathname, search } = new URL(app.stripe.sessions.get(session)!.cancel_url!);
    const left = await app.text(pathname + search);
    const [, again] = /href="([^"]+)">Back to promotions/.exec(left)!;
    const form = await app.text(again!.replaceAll("&amp;", "&"));
    assertMatch(form, /<input[^>]* value="boost-7"[^>]* checked/);
    assertEquals(/<input[^>]* value="yes"[^>]* checked/.test(form), autoRenew);
  }
});

Deno.test("the page of an order for a hidden project says that it isn't listed", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await order(app, { slug });
  app.stripe.pay(session);
  await app.deliverAll();
  await hide(app, slug);
  const said = await comeBack(app, session);
  assertStringIncludes(
    said,
    `This project is no longer listed ${slug} is no longer on this site`,
  );
});

Deno.test("the page of an order whose delayed payment failed says that nothing was charged", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await order(app, { slug });
  app.stripe.pay(session, { delayed: true });
  await app.deliverAll();
  assertStringIncludes(await comeBack(app, session), "Your payment is being confirmed");
  app.stripe.settle(session, false);
  await app.deliverAll();
  const { pathname, search } = new URL(app.stripe.sessions.get(session)!.success_url);
  const { headers } = await app.request(pathname + search);
  assertEquals(headers.get("location"), pageOf(app, session));
  assertStringIncludes(await words(app, pageOf(app, session)), "Nothing was charged.");
});

Deno.test("an order's page offers no link for a hidden listing or outbid bid, even before Stripe expires it", async () => {
  await using app = await paidApp();
  const [one, other] = [await submit(app), await submit(app)].map(({ project }) => project.slug);
  const sessions = [await order(app, { slug: one }), await link(app, one!, 1000)];
  for (const session of sessions) {
    assertMatch(await words(app, pageOf(app, session)), /Your (?:order|bid)/);
  }
  await hide(app, one!);
  const low = await link(app, other!, 1000);
  const high = await link(app, other!, 2000);
  app.stripe.pay(high);
  for (let link = 0; link < 3; link++) app.stripe.fail("http_500", /expire$/);
  await app.deliverAll();
  const unlisted = /This project is no longer listed\.(?!.*Start again)/;
  const outbid = /This link has expired\. .*Start again/;
  for (const session of [...sessions, low]) {
    const says = session === low ? outbid : unlisted;
    assertEquals(app.stripe.sessions.get(session)!.status, "open");
    assertMatch(await words(app, pageOf(app, session)), says);
  }
});

Deno.test("a bid's page offers no link once bidding has closed without any bid", async () => {
  await using app = await paidApp({ now: CLOSE - MINUTE_MS });
  const { project: { slug } } = await submit(app);
  const page = pageOf(app, await link(app, slug, 1000));
  assertStringIncludes(await words(app, page), "Authorize $10.61");
  app.clock.advance(MINUTE_MS);
  assertStringIncludes(await words(app, page), "This link has expired.");
});

Deno.test("the page of a winning bid for a hidden project doesn't say that it has the Front Row", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await hold(app, slug, 1000);
  await app.deps.store.transact((tx) => settleHigh(tx, AUCTION_ID, "won"));
  assertStringIncludes(await comeBack(app, session), "has the Front Row from Nov 23 to 29, 2026");
  await hide(app, slug);
  assertStringIncludes(
    await comeBack(app, session),
    `Your bid won $10.00 and the fee were charged. ${slug} is no longer on this site, so it isn't in the Front Row.`,
  );
});
