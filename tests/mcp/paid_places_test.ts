import { assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { HOUR_MS } from "@/lib/clock.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { setSwitches } from "@/lib/switches.ts";
import { CLOSE, hold, START } from "../auctions/bidding.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { callTool } from "../support/mcp.ts";
import { AUCTION_ID, paidApp } from "../support/payments.ts";

const SPAN = { startsAt: TEST_NOW - HOUR_MS, endsAt: TEST_NOW + HOUR_MS };
const SPOTLIGHT = { tierId: "spotlight-30", ...SPAN } as const;

/** An app with 16 listings, one on the Front Row, and promotions of two tiers. */
async function soldApp(): Promise<TestApp> {
  const app = await testApp();
  for (let n = 0; n < 16; n++) await submit(app, { name: `P ${n}`, tagline: "Does one thing" });
  const { catalogue } = app.deps;
  for (let n = 1; n <= 10; n++) catalogue.setPromotion(`p-${n}`, [SPOTLIGHT]);
  catalogue.setPromotion("p-11", [{ tierId: "boost-7", ...SPAN }]);
  catalogue.setFrontRow([{ slug: "p-0", ...SPAN }]);
  return app;
}

const slugs = (listings: { slug: string }[]) => listings.map(({ slug }) => slug);

/** The labels of the paid entries in a text. */
const labels = (text: string) => text.match(/(Sponsored|Promoted): [\w ]+(?= <)/g);

Deno.test("where_to_promote lists the Front Row and then every Spotlight, all labeled", async () => {
  await using app = await soldApp();
  const { structuredContent, content } = await callTool(app, "where_to_promote");
  const [first, ...spotlights] = structuredContent.featured;
  assertEquals([first.slug, first.sponsored, first.placement], ["p-0", true, "front-row"]);
  assertEquals(slugs(spotlights).sort(), Array.from({ length: 10 }, (_, n) => `p-${n + 1}`).sort());
  for (const { slug, promoted, placement } of spotlights) {
    assertEquals([promoted, placement], [true, null]);
    assertStringIncludes(content[0].text, `(${slug})`);
  }
  assertStringIncludes(content[0].text, "Now in the Front Row and Spotlight:\n- **P 0** (p-0)");
  assertEquals(labels(content[0].text), [
    "Sponsored: Front Row",
    ...Array(10).fill("Promoted: Spotlight"),
  ]);
});

Deno.test("where_to_promote starts with a notice if submissions are paused", async () => {
  await using app = await testApp();
  const paused = async () => {
    const { structuredContent, content } = await callTool(app, "where_to_promote");
    const said = content[0].text.startsWith("New submissions are paused right now.");
    return [structuredContent.free.paused, said];
  };
  assertEquals(await paused(), [false, false]);
  await setSwitches(app.deps.store, { submissionsPaused: true });
  assertEquals(await paused(), [true, true]);
});

Deno.test("get_promotion_options shows totals including fees, and says that sales are final", async () => {
  await using app = await testApp();
  const [{ text }] = (await callTool(app, "get_promotion_options")).content;
  for (const sum of ["$5.00 + $0.46 fee = $5.46", "= $9.58", "= $26.06", "All sales are final."]) {
    assertStringIncludes(text, sum);
  }
});

Deno.test("tools about promotions mention the Front Row auction and renewals", async () => {
  await using app = await testApp();
  for (const tool of ["where_to_promote", "about_service", "get_promotion_options"]) {
    const [{ text }] = (await callTool(app, tool)).content;
    assertStringIncludes(
      text,
      "Promotions (payments are closed right now):\n- Bump (bump-3), 3 days: $5.00",
    );
    assertStringIncludes(text, "Boost (boost-7), 7 days, once or renewed every week: $9.00");
    assertStringIncludes(
      text,
      "Front Row (sponsored): first place for a week, by auction from $10.00",
    );
    assertStringIncludes(text, "list_auctions");
  }
  const { body } = await app.json("/api/v1/promote");
  assertStringIncludes(body.howTo, "GET /api/v1/auctions");
});

Deno.test("a payment link's text gives the total, the renewal and when the link expires", async () => {
  await using app = await paidApp();
  await submit(app, { name: "Inkwell" });
  const textOf = async (tool: string, args: Record<string, unknown>) =>
    (await callTool(app, tool, { slug: "inkwell", ...args })).content[0].text as string;
  const order = { tierId: "boost-7", autoRenew: true };
  const renewed = await textOf("create_promotion_checkout", order);
  assertStringIncludes(
    renewed,
    "Boost for inkwell, 7 days: $9.58 including the fee, renewed every week until canceled. ",
  );
  assertStringIncludes(renewed, "The link expires after 23 hours.");
  assertStringIncludes(
    await textOf("create_promotion_checkout", { tierId: "boost-7" }),
    "Boost for inkwell, 7 days: $9.58 including the fee. ",
  );
  const bid = await textOf("place_bid", { auctionId: AUCTION_ID, amountCents: 1_000 });
  assertStringIncludes(bid, "$10.00 + $0.61 fee = $10.61 for inkwell. ");
  assertStringIncludes(
    bid,
    "The link expires after 30 minutes, or sooner if the bid falls below the minimum or bidding closes.",
  );
  const [{ text: open }] = (await callTool(app, "about_service")).content;
  assertStringIncludes(open, "\nPromotions:\n- Bump");
  const [{ text }] = (await callTool(app, "list_auctions")).content;
  assertStringIncludes(
    text,
    "minimum next bid $10.00 (1000 cents, $10.61 including the fee), closes ",
  );
});

const COMING = "Bidding opens for front-row-2026-11-30 at 2026-11-24T00:00:00.000Z, " +
  "front-row-2026-12-07 at 2026-12-01T00:00:00.000Z, " +
  "front-row-2026-12-14 at 2026-12-08T00:00:00.000Z, " +
  "front-row-2026-12-21 at 2026-12-15T00:00:00.000Z.";

Deno.test("list_auctions shows the high bidder, past winners and the current Front Row", async () => {
  await using app = await paidApp();
  await submit(app, { name: "Ink *Well*" });
  await hold(app, "ink-well", 5_000);
  const lines = async () =>
    (await callTool(app, "list_auctions")).content[0].text.split("\n") as string[];
  assertEquals((await lines()).slice(0, 3), [
    "The Front Row is empty right now.",
    "- front-row-2026-11-23 (Front Row, November 23 to 29, 2026): high bid $50.00 by **Ink \\*Well\\***, " +
    "minimum next bid $52.50 (5250 cents, $54.38 including the fee), closes 2026-11-22T00:00:00.000Z",
    COMING,
  ]);
  await moveListing(app.deps, { slug: "ink-well", step: "hide" });
  assertStringIncludes((await lines())[1]!, ": high bid $50.00, minimum next bid $52.50 ");
  await moveListing(app.deps, { slug: "ink-well", step: "unhide" });
  app.clock.set(CLOSE);
  await settlePayments(app.deps);
  await app.deliverAll();
  app.clock.set(START);
  await setSwitches(app.deps.store, { paymentsClosed: true });
  assertEquals((await lines()).slice(0, 4), [
    "Front Row (sponsored): **Ink \\*Well\\*** <http://projectory.test/p/ink-well>",
    "Payments are closed right now.",
    COMING.replace(/\.$/, ", front-row-2026-12-28 at 2026-12-22T00:00:00.000Z."),
    "- **Ink \\*Well\\*** won front-row-2026-11-23 for $50.00",
  ]);
});

Deno.test("list_auctions shows no open auction between one close and the next opening", async () => {
  await using app = await paidApp({ now: Date.parse("2026-11-22T12:00:00Z") });
  const { content, structuredContent } = await callTool(app, "list_auctions");
  const { rules, feeNotice } = structuredContent;
  assertEquals(content[0].text.split("\n"), [
    "The Front Row is empty right now.",
    "- front-row-2026-11-23: closed, its week starts 2026-11-23T00:00:00.000Z",
    COMING,
    ...rules.map((rule: string) => `- ${rule}`),
    feeNotice,
  ]);
});

Deno.test("trending's text starts with the Front Row, labeled as sponsored, and lists other promoted projects below", async () => {
  await using app = await soldApp();
  const [{ text }] = (await callTool(app, "trending")).content;
  assertStringIncludes(text.slice(0, 60), "## Front Row (sponsored)\n- **P 0** (p-0)");
  const [, promoted] = text.split("\n## ");
  assertMatch(promoted, /^Promoted \(paid\)\n- /);
  assertFalse(promoted.includes("(p-0)"));
});
