import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { jobs } from "@/lib/app/crons.ts";
import { toCents } from "@/lib/auctions/form.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { unavailable } from "@/lib/kv/retry.ts";
import { reconcile } from "@/lib/payments/reconcile.ts";
import { SALES_FINAL_NOTICE } from "@/lib/payments/sale_terms.ts";
import { setSwitches } from "@/lib/switches.ts";
import { CLOSE, hold } from "../auctions/bidding.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { AUCTION_ID, type PaidApp, paidApp } from "../support/payments.ts";
import { buy } from "../support/promotions.ts";
import { words } from "../support/words.ts";

/** Opens a page or posts a form, and follows a redirect. */
async function show(app: PaidApp, path: string, form?: Record<string, string>) {
  const first = await app.request(path, { form });
  const location = first.headers.get("location");
  const response = location === null ? first : await app.request(location);
  // The tests compare plain text, so undo the renderer's escaping.
  const text = (await response.text()).replaceAll("&#39;", "'").replaceAll("&quot;", '"');
  return { status: response.status, text };
}

/** A page's link to the payment provider. */
function checkoutLink(text: string): string | undefined {
  return /href="(https:\/\/checkout\.stripe\.com[^"]+)"/.exec(text)?.[1];
}

Deno.test("/promote shows every total, the fee and the sales-final notice before payment", async () => {
  await using app = await paidApp();
  const { status, text } = await show(app, "/promote?slug=inkwell&tierId=boost-7");
  assertEquals(status, 200);
  for (
    const part of [
      "$5.46",
      "$9.58",
      "$26.06",
      "$1.06",
      SALES_FINAL_NOTICE,
      'value="inkwell"',
      "higher tiers come first, and projects in the same tier rotate every hour",
    ]
  ) {
    assertStringIncludes(text, part);
  }
});

Deno.test("/promote describes the “Promoted” label in plain words; the API names the field", async () => {
  await using app = await paidApp();
  const { text } = await show(app, "/promote");
  assertEquals(text.match(/>A “Promoted” label wherever your project appears\./g)?.length, 1);
  assertStringIncludes(text, "Everything in Bump, plus:");
  assert(!text.includes("promoted: true"));
  const { tiers } = (await app.json("/api/v1/promote")).body;
  assertStringIncludes(tiers[0].perks[1], "promoted: true");
});

Deno.test("the promotion form leads to a page with the order and the payment link, without JavaScript", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app, { name: "Ink & well" });
  const { status, text } = await show(app, "/promote", {
    slug,
    tierId: "spotlight-30",
    autoRenew: "yes",
  });
  assertEquals(status, 200);
  assertStringIncludes(text, "Pay $26.06 each month");
  assertMatch(text, /href="\/p\/ink-well"[^>]*>Ink &amp; well<\/a>/);
  const [, change] = /href="(\/promote\?[^"]*)">Change the order/.exec(text)!;
  assertEquals(change, "/promote?slug=ink-well&amp;tierId=spotlight-30&amp;autoRenew=yes");
  const changed = (await show(app, change!.replaceAll("&amp;", "&"))).text;
  for (const value of ["spotlight-30", "yes"]) {
    assertMatch(changed, new RegExp(`<input[^>]* value="${value}"[^>]* checked`));
  }
  assertStringIncludes(text, SALES_FINAL_NOTICE);
  app.stripe.pay(app.sessionOf(checkoutLink(text)!));
  await app.deliverAll();
  const paid = await show(app, `/checkout/paid?slug=${slug}`);
  assertStringIncludes(paid.text, "Your project is promoted");
});

Deno.test("after buying a lower tier while a higher one runs, the page says when the lower one runs", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const paid = async (tierId: string) => {
    await buy(app, slug, tierId);
    const { text } = await show(app, `/checkout/paid?slug=${slug}`);
    const [facts] = /<dl.*?<\/dl>/s.exec(text)!;
    return facts.replaceAll(/<time[^>]*datetime="(.{10})[^>]*>.*?<\/time>/gs, "$1")
      .replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ").trim();
  };
  assertEquals(await paid("spotlight-30"), "Spotlight Until 2026-12-18");
  assertEquals(
    await paid("bump-3"),
    "Spotlight Until 2026-12-18 Then Bump Until 2026-12-21",
  );
  app.clock.advance(31 * DAY_MS);
  const { text } = await show(app, `/checkout/paid?slug=${slug}`);
  assertStringIncludes(text, "<dt>Bump</dt>");
  assert(!text.includes("Then"));
});

Deno.test("the paid page says so if all featured spots are taken", async () => {
  await using app = await paidApp();
  const slugs: string[] = [];
  for (const tierId of ["bump-3", ...Array<string>(12).fill("boost-7")]) {
    const { project: { slug } } = await submit(app);
    await buy(app, slug, tierId);
    const { text } = await show(app, `/checkout/paid?slug=${slug}`);
    assert(!text.includes("places are in use"), slug);
    slugs.push(slug);
  }
  const crowdedOut = await show(app, `/checkout/paid?slug=${slugs[0]}`);
  assertMatch(crowdedOut.text, /All 12\s+spots are taken this hour/);
});

Deno.test("payment forms accept a project's slug or its pasted page URL", async () => {
  await using app = await paidApp();
  const { project: { slug, page } } = await submit(app);
  for (
    const typed of [
      slug,
      ` ${page} `,
      `${page}?theme=tide#badge`,
      `/p/${slug}/edit`,
      slug.toUpperCase(),
    ]
  ) {
    const order = await show(app, "/promote", { slug: typed, tierId: "bump-3" });
    assertStringIncludes(order.text, "Pay $5.46", typed);
    const bid = await show(app, `/auctions/${AUCTION_ID}`, { slug: typed, amount: "10" });
    assertStringIncludes(bid.text, "Authorize $10.61", typed);
  }
  for (const typed of ["https://example.org/about", "two words"]) {
    const order = await show(app, "/promote", { slug: typed, tierId: "bump-3" });
    assertEquals(order.status, 404, typed);
    assertStringIncludes(order.text, `value="${typed}"`);
  }
});

Deno.test("payment forms accept a unique project name and otherwise suggest slugs; the API only takes slugs", async () => {
  await using app = await paidApp();
  await submit(app, { name: "Foundation for Sites" });
  const forms = [
    ["/promote", { tierId: "bump-3" }, "Pay $5.46"],
    [`/auctions/${AUCTION_ID}`, { amount: "10" }, "Authorize $10.61"],
  ] as [string, Record<string, string>, string][];
  for (const [path, form, answer] of forms) {
    const order = (slug: string) => show(app, path, { ...form, slug });
    assertStringIncludes((await order(" foundation for Sites")).text, answer);
    for (
      const [typed, meant] of [
        ["Foundation", " Did you mean foundation-for-sites?"],
        ["foundatoin-for-sites", " Did you mean foundation-for-sites?"],
        ["lighthouse", " Check the name or paste its link"],
        ["sites for lighthouse keepers", " Check the name or paste its link"],
      ]
    ) {
      const { status, text } = await order(typed!);
      assertEquals(status, 404, typed);
      const [, said] = /id="slug-problem">We couldn.*?t find that project([^<]*)</.exec(text) ?? [];
      assertEquals(said?.replace(/^\./, ""), meant, typed);
      assertStringIncludes(text, `value="${typed}"`);
    }
  }
  const json = { slug: "Foundation for Sites", tierId: "bump-3" };
  assertEquals((await app.json("/api/v1/promote", { json })).status, 404);

  await submit(app, { name: "foundation FOR sites" });
  for (const [path, form] of forms) {
    const { status, text } = await show(app, path, { ...form, slug: "Foundation for Sites" });
    assertEquals(status, 404, "two have the name");
    assertMatch(text, /Did you mean foundation-for-sites/);
  }
});

Deno.test("payment forms report an unknown project along with other problems", async () => {
  await using app = await paidApp();
  await submit(app, { name: "Foundation for Sites" });
  for (
    const [path, form, field, wrong] of [
      ["/promote", {}, "tierId", "Choose a promotion"],
      [`/auctions/${AUCTION_ID}`, { amount: "ten" }, "amount", "Enter an amount in dollars"],
    ] as [string, Record<string, string>, string, string][]
  ) {
    const problemsOf = async (slug: string) => {
      const { status, text } = await show(app, path, { ...form, slug });
      assertEquals(status, 400, slug);
      return [...text.matchAll(/id="(\w+)-problem">([^<]*)</g)].map(([, ...said]) => said);
    };
    for (
      const [typed, said] of [["foundation", "Did you mean foundation-for-sites?"], [
        "lighthouse",
        "Check the name or paste its link",
      ]]
    ) {
      const problems = await problemsOf(typed!);
      const { slug, [field]: other, ...rest } = Object.fromEntries(problems);
      assertEquals(rest, {});
      assertStringIncludes(slug!, said!);
      assertStringIncludes(other!, wrong);
    }
    for (const typed of ["foundation-for-sites", "Foundation for Sites"]) {
      assertEquals((await problemsOf(typed)).map(([field]) => field), [field], typed);
    }
  }
});

Deno.test("payment forms don't blame a project that can't be looked up right now", async () => {
  await using app = await paidApp();
  app.deps.catalogue.page = () => Promise.reject(unavailable());
  const { status, text } = await show(app, "/promote", { slug: "Foundation" });
  const problems = [...text.matchAll(/id="(\w+)-problem">([^<]*)</g)].map(([, ...said]) => said);
  assertEquals([status, problems], [400, [["tierId", "Choose a promotion"]]]);
});

Deno.test("a payment form redirects to its order's page, which makes no requests to Stripe when opened", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  for (
    const [path, form, paid] of [
      ["/promote", { slug, tierId: "bump-3" }, "/checkout/paid"],
      [
        `/auctions/${AUCTION_ID}`,
        { slug, amount: "10" },
        "/checkout/held",
      ],
    ] as [string, Record<string, string>, string][]
  ) {
    const posted = await app.request(path, { form });
    assertEquals(posted.status, 303);
    const page = posted.headers.get("location")!;
    assertEquals(/^\/checkout\/pay\?order=(ord|bid)_\w{20}$/.test(page), true, page);
    const asked = app.stripe.requests.length;
    const opened = await app.request(page);
    assertEquals(opened.headers.get("cache-control"), "private, no-store");
    const { text } = await show(app, page);
    assertStringIncludes(text, '<meta name="robots" content="noindex"');
    assertEquals(app.stripe.requests.length, asked);
    app.stripe.pay(app.sessionOf(checkoutLink(text)!));
    await app.deliverAll();
    const expected = page.replace("/checkout/pay", paid);
    assertEquals((await app.request(page)).headers.get("location"), expected);
  }
});

Deno.test("an order's page says when its link has expired, and an unknown order is a 404", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  for (
    const [path, form, hours] of [
      ["/promote", { slug, tierId: "bump-3" }, 23],
      [`/auctions/${AUCTION_ID}`, { slug, amount: "10" }, 1],
    ] as [string, Record<string, string>, number][]
  ) {
    const page = (await app.request(path, { form })).headers.get("location")!;
    app.clock.advance(hours * HOUR_MS);
    const { status, text } = await show(app, page);
    assertEquals([status, checkoutLink(text)], [200, undefined]);
    assertStringIncludes(text, "This link has expired");
    assertStringIncludes(text, `href="${path}?slug=${slug}"`);
    app.stripe.passTime();
    await app.deliverAll();
    assertStringIncludes(
      (await show(app, page)).text,
      "This link has expired. Nothing was charged.",
    );
  }
  for (const order of ["", "?order=", "?order=ord_nobody", "?order=a&order=b"]) {
    assertEquals((await show(app, `/checkout/pay${order}`)).status, 404);
  }
});

Deno.test("an order's page says that nothing was charged only if Stripe confirms it", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { body } = await app.json("/api/v1/promote", { json: { slug, tierId: "bump-3" } });
  const session = app.stripe.sessions.get(app.sessionOf(body.checkoutUrl))!;
  const page = `/checkout/pay?order=${session.metadata.orderId}`;
  app.stripe.pay(session.id);
  // Someone has turned on a tax.
  session.amount_total += 100;
  await app.deliverAll();
  for (let hours = 0; hours < 50; hours++) {
    app.clock.advance(HOUR_MS);
    await reconcile(app.deps);
    const { text } = await show(app, page);
    assert(!text.includes("Nothing was charged"), `after ${hours} hours`);
  }
  assertStringIncludes((await show(app, page)).text, "This link has expired.");
});

Deno.test("a delayed payment's order page asks for no second payment and denies no charge", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const json = { slug, tierId: "bump-3" };
  const send = () => app.json("/api/v1/promote", { json, headers: { "Idempotency-Key": "once" } });
  const session = app.sessionOf((await send()).body.checkoutUrl);
  const page = `/checkout/pay?order=${app.stripe.sessions.get(session)!.metadata.orderId}`;
  app.stripe.pay(session, { delayed: true });
  await app.deliverAll();
  for (const hours of [0, 23]) {
    app.clock.advance(hours * HOUR_MS);
    const { headers } = await app.request(page);
    assertEquals(headers.get("location"), page.replace("/checkout/pay", "/checkout/paid"));
  }
  app.stripe.settle(session, false);
  await app.deliverAll();
  assertStringIncludes((await show(app, page)).text, "This link has expired. Nothing was charged.");
  const again = (await send()).body.checkoutUrl;
  assertEquals(checkoutLink((await show(app, page)).text), again);
});

Deno.test("the promotion form shows each problem at its field and keeps what was typed", async () => {
  await using app = await paidApp();
  for (
    const [form, status, field] of [
      [{ slug: "nobody", tierId: "bump-3" }, 404, "slug-problem"],
      [{ slug: "nobody", tierId: "gold" }, 400, "tierId-problem"],
      [{ tierId: "bump-3" }, 400, "slug-problem"],
      [{ slug: "nobody", tierId: "bump-3", autoRenew: "yes" }, 400, "autoRenew-problem"],
    ] as const
  ) {
    const shown = await show(app, "/promote", form as Record<string, string>);
    assertEquals(shown.status, status);
    assertStringIncludes(shown.text, field);
    if (field === "autoRenew-problem") {
      assertStringIncludes(shown.text, ">Bump can't renew. Choose Boost or Spotlight<");
    }
    assertMatch(shown.text, /role="alert" tabindex="-1" autofocus/i);
    assertEquals(checkoutLink(shown.text), undefined);
  }
});

Deno.test("the promotion form keeps what was typed if Stripe fails", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  app.stripe.fail("http_402", /POST/);
  const shown = await show(app, "/promote", { slug, tierId: "boost-7" });
  assertEquals(shown.status, 502);
  assertMatch(shown.text, new RegExp(`<input[^>]* name="slug"[^>]* value="${slug}"`));
});

Deno.test("auction pages start with what a bid buys", async () => {
  await using app = await paidApp();
  for (const path of ["/auctions", `/auctions/${AUCTION_ID}`]) {
    const { text } = await show(app, path);
    const [, lead] = /<p class="lead">(.*?)<\/p>/s.exec(text)!;
    assertMatch(lead!, /the top spot on the\s+home\s+page/i, path);
  }
});

Deno.test("the bid form shows fee and total and leads to the link for the card hold", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const path = `/auctions/${AUCTION_ID}`;
  const link = `${path}?slug=${slug}`;
  assertStringIncludes((await show(app, `/p/${slug}`)).text, `href="${link}"`);
  assertStringIncludes((await show(app, link)).text, `value="${slug}"`);
  const before = await show(app, path);
  for (const part of ["$10.00", "$0.61", "$10.61", "all sales are final", "Bids are binding"]) {
    assertStringIncludes(before.text, part);
  }
  const made = await show(app, path, { slug, amount: "$12.50" });
  assertStringIncludes(made.text, "Authorize $13.19");
  assertStringIncludes(made.text, SALES_FINAL_NOTICE);
  assertStringIncludes(
    made.text,
    `href="${link}&amp;amount=12.50#bid">Change the bid`,
  );
  app.stripe.pay(app.sessionOf(checkoutLink(made.text)!));
  await app.deliverAll();
  const after = await show(app, path);
  assertStringIncludes(after.text, "$12.50");
  assertStringIncludes(after.text, "Bid history");
  const all = (await show(app, "/auctions")).text;
  assertStringIncludes(all, "$13.50");
  assertMatch(all, new RegExp(`class="button primary" href="${path}">Bid on the week of `));
  assertStringIncludes((await show(app, `/checkout/held?auction=${AUCTION_ID}`)).text, "$12.50");
  const highest = await show(app, path, { slug, amount: "99999999999" });
  assertStringIncludes(highest.text, ">The bid is above the maximum of $970,999.69<");
  for (const amount of ["ten", "9.99", "1.005", "-5", "970999.70", ""]) {
    const shown = await show(app, path, { slug, amount });
    assertEquals(shown.status, 400, amount);
    const [, problem] = /id="amount-problem">([^<]*)</.exec(shown.text)!;
    const isDollars = toCents(amount) !== null;
    const rule = amount === ""
      ? /^Enter an amount$/
      : isDollars
      ? /^(?:Bid at least \$|The bid is above)/
      : /^Enter an amount in dollars/;
    assertMatch(problem!, rule, amount);
  }
  // Agents would fill in a field of this name in cents: a bid a hundred times as high.
  const { text } = await show(app, `${path}.md`);
  assertStringIncludes(text, "- `amount`, required: Bid in dollars.");
  assert(!text.includes("amountCents"));
});

Deno.test("the poll and auction pages point agents to the equivalent API call", async () => {
  await using app = await paidApp();
  const reference = await app.text("/api");
  for (
    const [path, call, id] of [
      ["/poll", "POST http://projectory.test/api/v1/poll/vote", "voteBestAi"],
      [
        `/auctions/${AUCTION_ID}`,
        `POST /api/v1/auctions/${AUCTION_ID}/bids`,
        "placeBid",
      ],
    ] as const
  ) {
    const text = await app.text(path);
    assertStringIncludes(text, `<code>${call}</code>`);
    assertStringIncludes(text, `<a href="/api#${id}">See how</a>.`);
    assertStringIncludes(reference, `id="${id}"`);
  }
});

Deno.test("a bid after the close gets an explanation and is prefilled for the next auction", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  app.clock.set(Date.parse("2026-11-22T00:00:00Z"));
  const late = await show(app, `/auctions/${AUCTION_ID}`, { slug, amount: "10" });
  assertEquals(late.status, 409);
  assertStringIncludes(late.text, "taking bids right now. Your bid");
  assertStringIncludes(late.text, `10, project: <span dir="auto">${slug}</span>`);
  // What was typed is prefilled once the next auction opens.
  const [, next] = /next auction opens.*? href="([^"]+)"/s.exec(late.text)!;
  const { pathname, searchParams } = new URL(next!.replaceAll("&amp;", "&"), "http://x");
  assertEquals(Object.fromEntries(searchParams), { slug, amount: "10" });
  app.clock.set(Date.parse("2026-11-25T00:00:00Z"));
  const { text } = await show(app, `${pathname}?${searchParams}`);
  assertMatch(text, new RegExp(`<input id="slug"[^>]* value="${slug}"`));
  assertMatch(text, /<input id="amount"[^>]* value="10"/);
});

Deno.test("a payment form keeps what was typed if the operator has closed payments in the meantime", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  await setSwitches(app.deps.store, { paymentsClosed: true });
  for (
    const [path, form] of [
      ["/promote", { slug, tierId: "boost-7" }],
      [`/auctions/${AUCTION_ID}`, { slug, amount: "12" }],
    ] as const
  ) {
    const { status, text } = await show(app, path, form);
    assertEquals(status, 503, path);
    assertMatch(text, new RegExp(`<input id="slug"[^>]* value="${slug}"`), path);
    assertMatch(text, /role="alert"[^>]*>.*Promotions and bidding are closed/s, path);
  }
});

Deno.test("an auction that takes no bids links to the one that does or opens next, never to itself", async () => {
  await using app = await paidApp();
  const later = "/auctions/front-row-2026-11-30";
  const openNow = `href="/auctions/${AUCTION_ID}">Bid on the week of ` +
    '<time datetime="2026-11-23T00:00:00.000Z">Nov 23, 2026</time></a>';
  for (const path of ["/auctions/front-row-2026-11-09", later]) {
    const { text } = await show(app, path);
    assertStringIncludes(text, openNow);
    assert(!text.includes("next auction opens"));
  }
  app.clock.set(CLOSE - MINUTE_MS);
  await hold(app, (await submit(app)).project.slug, 1000);
  app.clock.set(CLOSE + 5 * MINUTE_MS);
  const extended = (await show(app, later)).text;
  assertStringIncludes(extended, openNow);
  app.clock.set(CLOSE + 10 * MINUTE_MS);
  assertStringIncludes((await show(app, `/auctions/${AUCTION_ID}`)).text, `href="${later}"`);
  assert(!(await show(app, later)).text.includes(`href="${later}"`));
});

Deno.test("a bid's page shows its state: pending, leading, outbid, or after the close", async () => {
  await using app = await paidApp();
  const [first, second] = [await submit(app), await submit(app)].map(({ project }) => project.slug);
  const bid = async (slug: string, amount: string) => {
    const made = await show(app, `/auctions/${AUCTION_ID}`, { slug, amount });
    const session = app.sessionOf(checkoutLink(made.text)!);
    const back = app.stripe.sessions.get(session)!.success_url!;
    return { session, back: back.slice("http://projectory.test".length) };
  };
  const { session, back } = await bid(first!, "12.50");
  const late = await bid(first!, "13");
  const waiting = (await show(app, back)).text;
  assertStringIncludes(waiting, "Your card hold is being confirmed");
  assertStringIncludes(waiting, 'href aria-current="false">Refresh this page</a>');
  app.stripe.pay(session);
  app.stripe.pay(late.session);
  await app.deliverAll();
  const leads = await show(app, back);
  assertStringIncludes(leads.text, "<title>Your bid is in the lead · Projectory</title>");
  assertMatch(leads.text, /<h1>Thank you\. <span [^>]*>Your bid is in the lead</);
  assertStringIncludes(leads.text, "Bookmark this page");
  assert(!leads.text.includes("Refresh this page"));
  // Someone else's bid for the same listing was too low: their page must not mention the first bid.
  const lapsed = await show(app, late.back);
  assertStringIncludes(lapsed.text, "Your bid didn't count");
  assertStringIncludes(lapsed.text, "The hold for your bid of $13.00 was released");
  const winner = await bid(second!, "20");
  app.stripe.pay(winner.session);
  await app.deliverAll();
  const outbid = await show(app, back);
  assertStringIncludes(outbid.text, "<title>You were outbid · Projectory</title>");
  assertStringIncludes(outbid.text, "<h1>You were outbid</h1>");
  assertStringIncludes(outbid.text, "The hold for your bid of $12.50 was released");
  assertStringIncludes(outbid.text, "$20.00");
  const [, again] = /href="([^"]*)">Bid again for at least \$21\.00</.exec(outbid.text) ??
    [];
  assertEquals(again, `/auctions/${AUCTION_ID}?slug=${first}&amp;amount=21.00#bid`);
  const form = (await show(app, again!.replaceAll("&amp;", "&"))).text;
  assertStringIncludes(form, 'id="bid"');
  for (const value of [first, "21.00"]) assertStringIncludes(form, `value="${value}"`);
  app.clock.set(Date.parse("2026-11-22T00:01:00Z"));
  for (const job of jobs) await job.run(app.deps, app.clock.now());
  await app.deliverAll();
  const closed = "Your bid $12.50 High bid $20.00 Closed Nov 22, 2026 at 00:00 UTC";
  assertStringIncludes(await words(app, back), closed);
  assert(!(await show(app, back)).text.includes("Bid again"), "no auction is open for it");
  const won = await show(app, winner.back);
  assertStringIncludes(won.text, "Your bid won");
  assertStringIncludes(won.text, "Nov 23 to 29, 2026");
  assertEquals((await show(app, "/checkout/held?order=bid_nope")).status, 404);
  const none = await show(app, `/checkout/held?auction=${AUCTION_ID}`);
  assertStringIncludes(none.text, "If your bid didn't count, the hold is released");
});

Deno.test("an outbid bidder whose hold was captured by hand isn't told that nothing was charged", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const session = app.sessionOf(
    checkoutLink((await show(app, `/auctions/${AUCTION_ID}`, { slug, amount: "10" })).text)!,
  );
  app.stripe.pay(session);
  await app.deliverAll();
  const { success_url, payment_intent } = app.stripe.sessions.get(session)!;
  app.stripe.captureIntent(payment_intent!, null);
  const second = await show(app, `/auctions/${AUCTION_ID}`, { slug, amount: "20" });
  app.stripe.pay(app.sessionOf(checkoutLink(second.text)!));
  await app.deliverAll();
  const { text } = await show(app, success_url.slice("http://projectory.test".length));
  assertStringIncludes(text, "Your card was charged for your bid of $10.00 by mistake");
});

Deno.test("a leading bidder is told that their hold ended at Stripe, not that the card is held", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const made = await show(app, `/auctions/${AUCTION_ID}`, { slug, amount: "10" });
  const session = app.sessionOf(checkoutLink(made.text)!);
  app.stripe.pay(session);
  await app.deliverAll();
  const { success_url, payment_intent } = app.stripe.sessions.get(session)!;
  app.stripe.cancelIntent(payment_intent!, null);
  await app.deliverAll();
  const { text } = await show(app, success_url.slice("http://projectory.test".length));
  assertStringIncludes(text, "The hold on your card has ended");
  assert(!/card is (held|authorized)/i.test(text));
});

Deno.test("payment pages say plainly when nothing is on sale", async () => {
  await using app = await testApp({ now: "2026-11-18T12:00:00Z" }) as PaidApp;
  const promote = await show(app, "/promote");
  assertMatch(promote.text, /<p class="lead">[^<]*<\/p><p class="notice">[^<]* not for sale/);
  assertStringIncludes(promote.text, `<p class="dim">${SALES_FINAL_NOTICE}</p>`);
  const auction = await show(app, `/auctions/${AUCTION_ID}`);
  assertStringIncludes(auction.text, "Payments are closed right now");
  assertEquals(/Open (for bids|now)/.test(auction.text), false);
  assert(!auction.text.includes('<button type="submit" class="button primary">Review bid'));
  const auctions = await show(app, "/auctions");
  assertStringIncludes(auctions.text, "Payments are closed right now");
  assertEquals(/Open now/.test(auctions.text), false);
  assert(!auctions.text.includes("Bid on "));
  app.clock.set(Date.parse("2026-11-22T12:00:00Z"));
  const { text } = await show(app, "/auctions");
  assert(!text.includes("Bidding opens on"));
  assert(
    text.includes("<dt>Closed</dt>") && !text.includes("<dt>Closes</dt>"),
    "what is over is shown as over",
  );
});

Deno.test("/checkout has exactly four results", async () => {
  await using app = await paidApp();
  for (const result of ["paid", "cancelled", "held", "bid-cancelled"]) {
    assertEquals((await show(app, `/checkout/${result}`)).status, 200);
  }
  assertEquals((await show(app, "/checkout/other")).status, 404);
  assertEquals((await show(app, "/auctions/front-row-2026-11-24")).status, 404);
});

Deno.test("toCents parses dollars as people type them, exactly", () => {
  for (
    const [typed, cents] of [
      ["10", 1000],
      ["$10", 1000],
      ["$ 30", 3000],
      ["10.5", 1050],
      ["10.05", 1005],
      ["1,500.50", 150_050],
      ["970,999.69", 97_099_969],
      ["99999999999", 9_999_999_999_900],
      ["0", 0],
      ["10.555", null],
      ["1,50", null],
      ["10,5", null],
      ["1e3", null],
      ["", null],
      ["٣", null],
    ] as const
  ) assertEquals(toCents(typed), cents, typed);
});
