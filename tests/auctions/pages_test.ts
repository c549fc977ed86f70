import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { MINUTE_MS } from "@/lib/clock.ts";
import { MAX_AMOUNT_CENTS } from "@/lib/payments/fees.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { submit } from "../support/listings.ts";
import { AUCTION_ID, type PaidApp, paidApp } from "../support/payments.ts";
import { words } from "../support/words.ts";
import { CLOSE, hide, hold, intentOf, settleWithRevokedKey } from "./bidding.ts";

/** The page that a session's bidder returns to. */
function backOf(app: PaidApp, session: string): string {
  const { pathname, search } = new URL(app.stripe.sessions.get(session)!.success_url);
  return pathname + search;
}

const PAGE = `/auctions/${AUCTION_ID}`;

Deno.test("the auction's and the bidder's page say that payment is in progress until the card is charged", async () => {
  await using app = await paidApp();
  const { project: { slug, name } } = await submit(app);
  const session = await hold(app, slug, 1000);
  assertMatch(await words(app, PAGE), /High bid \$10\.00 Leader Project/);
  app.clock.set(CLOSE);
  await settleWithRevokedKey(app);
  assertMatch(
    await words(app, PAGE),
    /Bidding is over\. The winner's payment is in progress\. Closed Nov 22, 2026 at 00:00 UTC High bid \$10\.00 Highest bidder Project/,
  );
  assertStringIncludes(
    await words(app, backOf(app, session)),
    "Bidding is over Your bid of $10.00 is the highest, and your card is being charged. " +
      `P ${name} A thing that does one thing Your bid $10.00 Closed Nov 22, 2026 at 00:00 UTC`,
  );
  app.clock.advance(60 * MINUTE_MS);
  await settlePayments(app.deps);
  assertMatch(await words(app, PAGE), /Bidding is over\. Project \d+ won\. .* Winner Project/);
});

Deno.test("the bid form says whether an outbid bidder is told", async () => {
  for (
    const [env, what] of [
      [{}, "We can't notify you, so check this page to see who leads."],
      [{ FETCHER_PORT: "8001" }, "and we notify the project's contact, if it has one."],
    ] as const
  ) {
    await using app = await paidApp({ env });
    assertStringIncludes(await words(app, PAGE), what);
  }
});

Deno.test("if the winner's card can't be charged, both pages say that the spot stays empty", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await hold(app, slug, 2000);
  app.clock.set(CLOSE);
  app.stripe.fail("http_402", /capture$/);
  await settlePayments(app.deps);
  await settlePayments(app.deps);
  assertStringIncludes(
    await words(app, PAGE),
    "The winner's card couldn't be charged, so the spot stays empty. Closed Nov 22, 2026 at 00:00 UTC " +
      "High bid $20.00 Highest bidder Project",
  );
  assertStringIncludes(
    await words(app, backOf(app, session)),
    "Bidding is over Your bid of $20.00 was the highest, but your card couldn't be charged, " +
      "so the spot stays empty.",
  );
});

Deno.test("the highest bidder is told that a bid whose hold ended before the close can't win", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = await hold(app, slug, 1000);
  app.stripe.cancelIntent(intentOf(app, session).id, null);
  await app.deliverAll();
  app.clock.set(CLOSE);
  const said = await words(app, backOf(app, session));
  assertStringIncludes(
    said,
    "Your bid of $10.00 is the highest, but the hold on your card has ended, so it can't win",
  );
});

Deno.test("pages say that an auction has no bids, even the page after a hold", async () => {
  await using app = await paidApp();
  app.clock.set(CLOSE);
  assertMatch(
    await words(app, PAGE),
    /Bidding closed on Nov 22, 2026 at 00:00 UTC\. Nobody bid\. Bid on/,
  );
  const all = await words(app, "/auctions");
  assertStringIncludes(all, "No open auction. Bidding opens on Nov 24, 2026 at 00:00 UTC.");
  assertStringIncludes(all, "Nov 23 to 29, 2026 Closed Nov 22, 2026 at 00:00 UTC High bid None ");
  assertStringIncludes(
    await words(app, `/checkout/held?auction=${AUCTION_ID}`),
    "nothing is charged. High bid None Closed Nov 22, 2026 at 00:00 UTC",
  );
});

Deno.test("a bid for a hidden listing keeps its place in the history without a name", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await hold(app, slug, 1000);
  await hide(app, slug);
  assertMatch(await words(app, PAGE), /Hash \$10\.00 Not public \w+ Nov \d+/);
});

Deno.test("a bid that extends the close is marked, and so is the auction", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await hold(app, slug, 1000);
  const before = await words(app, PAGE);
  assertEquals(/extended/.test(before.replace(/Bid in dollars.*/, "")), false, before);
  app.clock.set(CLOSE - MINUTE_MS);
  await hold(app, slug, 1100);
  const said = await words(app, PAGE);
  assertMatch(said, /Closes Nov 22, 2026 at 00:10 UTC in 11 min \(extended by late bids\)/);
  assertEquals(said.match(/\(extended the auction\)/g)?.length, 1);
});

Deno.test("the bid form shows no total if the minimum bid can't be charged", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await hold(app, slug, MAX_AMOUNT_CENTS);
  assertMatch(await words(app, PAGE), /At least \$[\d,.]+\. Bids/);
});
