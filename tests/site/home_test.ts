import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { TIERS } from "@/lib/catalog/tiers.ts";
import { HOUR_MS } from "@/lib/clock.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { paidApp } from "../support/payments.ts";
import { share } from "../support/skills.ts";

const SPAN = { startsAt: TEST_NOW - HOUR_MS, endsAt: TEST_NOW + 48 * HOUR_MS };
const BUMP = { tierId: "bump-3", ...SPAN } as const;

/** The slugs that a part of the home page links to, in order. */
async function shownIn(app: TestApp, part: RegExp): Promise<string[]> {
  const html = await app.text("/");
  const [shown = ""] = part.exec(html) ?? [];
  return [...shown.matchAll(/href="\/p\/([a-z0-9-]+)"/g)].map((match) => match[1]!);
}

/** The moving cards, only the first copy. */
const TICKER_LINE = /<ul class="plain ticker-line".*?<\/ul>/s;
/** All paid spots. */
const PAID_PLACES = /<section class="paid-places".*?<\/ul>/s;

Deno.test("the home page shows higher tiers first and rotates through more than 12 promoted projects", async () => {
  await using app = await testApp();
  const { catalogue } = app.deps;
  for (let n = 1; n <= 15; n++) {
    await submit(app, { name: `P ${n}`, tagline: "Does one thing" });
    catalogue.setPromotion(`p-${n}`, [BUMP]);
  }
  catalogue.setPromotion("p-7", [{ tierId: "spotlight-30", ...SPAN }]);
  const seen = new Set<string>();
  for (let hour = 0; hour < 14; hour++) {
    const ticker = await shownIn(app, TICKER_LINE);
    assertEquals([ticker[0], ticker.length], ["p-7", 12]);
    ticker.forEach((slug) => seen.add(slug));
    app.clock.advance(HOUR_MS);
  }
  assertEquals(seen.size, 15);
});

Deno.test("the home page's paid spots start with the Front Row's holder and list it once", async () => {
  await using app = await testApp();
  const { catalogue } = app.deps;
  for (const n of [1, 2]) {
    await submit(app, { name: `P ${n}`, tagline: "Does one thing" });
    catalogue.setPromotion(`p-${n}`, [{ ...BUMP, tierId: n === 1 ? "spotlight-30" : "bump-3" }]);
  }
  catalogue.setFrontRow([{ slug: "p-2", ...SPAN }]);
  assertEquals(await shownIn(app, PAID_PLACES), ["p-2", "p-1"]);
  assertEquals((await shownIn(app, /<main.*<\/main>/s))[0], "p-2");
});

Deno.test("the home page shows a paid project once, and in no list but the paid one", async () => {
  await using app = await testApp();
  const { catalogue } = app.deps;
  for (const n of [1, 2, 3, 4]) await submit(app, { name: `P ${n}`, tagline: "Does one thing" });
  catalogue.setPromotion("p-1", [BUMP]);
  catalogue.setPromotion("p-2", [BUMP]);
  catalogue.setFrontRow([{ slug: "p-2", ...SPAN }]);
  const html = await app.text("/");
  const once = html.replace(/<ul [^>]*aria-hidden="true">.*?<\/ul>/gs, "");
  const slugs = [...once.matchAll(/href="\/p\/([a-z0-9-]+)"/g)].map(([, slug]) => slug);
  assertEquals(slugs.toSorted(), ["p-1", "p-2", "p-3", "p-4"]);
  catalogue.setPromotion("p-3", [BUMP]);
  catalogue.setPromotion("p-4", [BUMP]);
  app.clock.advance(2_000);
  assertStringIncludes(
    await app.text("/"),
    "Every project is promoted right now",
  );
});

Deno.test("the home page's new list skips projects that its other lists show", async () => {
  await using app = await testApp();
  for (let n = 1; n <= 22; n++) {
    await submit(app, { name: `P ${n}`, tagline: "Does one thing" });
    app.clock.advance(60_000);
  }
  const hot = await shownIn(app, /<section aria-labelledby="hot">.*?<\/section>/s);
  const fresh = await shownIn(app, /<section aria-labelledby="new">.*?<\/section>/s);
  assertEquals([hot.length, fresh], [15, ["p-7", "p-6", "p-5"]]);
});

Deno.test("the home page lists up to three skills as soon as they are shared", async () => {
  await using app = await testApp();
  const shown = async () =>
    (await app.text("/")).match(/<a href="\/skills\/[a-z0-9-]+" dir/g)?.length;
  const seen = [await shown()];
  for (let n = 1; n <= 4; n++) {
    await share(app, { title: `Skill ${n}`, content: `Do what is to do in ${n} steps.` });
    seen.push(await shown());
  }
  assertEquals(seen, [undefined, 1, 2, 3, 3]);
});

Deno.test("an empty Front Row isn't called free next to its price", async () => {
  await using app = await paidApp();
  const html = await app.text("/");
  const [place] = /<p class="front-empty">.*?<\/p>/s.exec(html)!;
  assertStringIncludes(place, "This spot is open. <a");
});

Deno.test("the home page offers no paid spots while nothing can be bought", async () => {
  await using app = await testApp();
  await submit(app);
  const html = await app.text("/");
  assertEquals([html.includes("Bid for"), html.includes("Paid placements")], [false, false]);
});

Deno.test("every entry of a paid project is labeled, on every page that shows it", async () => {
  await using app = await testApp();
  const { catalogue } = app.deps;
  for (const n of [1, 2, 3]) {
    await submit(app, {
      name: `P ${n}`,
      tagline: "Does one thing",
      category: "game",
      builtWith: ["claude"],
    });
  }
  catalogue.setPromotion("p-1", [BUMP]);
  catalogue.setFrontRow([{ slug: "p-2", ...SPAN }]);
  const entriesOf = (html: string, slug: string) =>
    [...html.matchAll(
      /<(li|tr)\b(?:(?!<\1\b).)*?<\/\1>|<div class="paid-place"><div.*?<\/form>/gs,
    )]
      .map(([entry]) => entry).filter((entry) => entry.includes(`href="/p/${slug}"`));
  for (
    const [path, promoted, sponsored] of [
      ["/", 2, 1],
      ["/projects", 1, 1],
      ["/c/game", 1, 1],
      ["/t/claude", 1, 1],
      ["/ranking", 1, 1],
    ] as const
  ) {
    const html = await app.text(path);
    for (
      const [slug, count, label] of [
        ["p-1", promoted, "Promoted"],
        ["p-2", sponsored, "Sponsored"],
      ] as const
    ) {
      const entries = entriesOf(html, slug);
      assertEquals(entries.length, count, `${slug} on ${path}`);
      for (const entry of entries) {
        assertMatch(entry, new RegExp(`<span class="(label paid|quiet)">${label}</span>`), path);
      }
    }
    for (const entry of entriesOf(html, "p-3")) assert(!entry.includes("label paid"), path);
  }
  for (const [slug, label] of [["p-1", "Promoted"], ["p-2", "Sponsored"]]) {
    const html = await app.text(`/p/${slug}`);
    assertStringIncludes(html, `<span class="label paid">${label}</span>`);
  }
});

Deno.test("a ticker card glows in its accent for the tiers that include this", async () => {
  await using app = await testApp();
  for (const [i, tier] of TIERS.entries()) {
    await submit(app, { name: `P ${i}`, tagline: "Does one thing", accent: "Iris" });
    app.deps.catalogue.setPromotion(`p-${i}`, [{ tierId: tier.id, ...SPAN }]);
  }
  const html = await app.text("/");
  const cards = [...TICKER_LINE.exec(html)![0].matchAll(/<li +class="([^"]*)"/g)].map(([, name]) =>
    name
  );
  assertEquals(cards, ["card glow a-iris", "card glow a-iris", "card"]);
  assertStringIncludes(html, '<a href="/promote">from $5.46</a>');
});

Deno.test("every entry of a project has its accent, or none if it has none", async () => {
  for (const accent of ["Iris", null]) {
    await using app = await testApp();
    const { project: { slug } } = await submit(app, { accent, category: "saas" });
    app.deps.catalogue.setFrontRow([{ slug, ...SPAN }]);
    app.deps.catalogue.setPromotion(slug, [BUMP]);
    app.clock.advance(2_000);
    for (const [path, count] of [["/", 1], [`/p/${slug}`, 1], ["/c/saas", 1]] as const) {
      const html = await app.text(path);
      const tiles = [...html.matchAll(/class="tile([^"]*)"/g)].map(([, style]) => style!);
      const isIris = tiles.map((style) => style.includes(" a-iris"));
      assertEquals(isIris, Array(count).fill(accent !== null), `${path} ${accent}`);
    }
  }
});

Deno.test("the home page searches projects, and points people to the form and agents to the API call", async () => {
  await using app = await testApp();
  await submit(app, { name: "Lighthouse", tagline: "Turns, and is seen" });
  await submit(app, { name: "Anvil", tagline: "Holds still" });
  const html = await app.text("/");
  const [masthead = ""] = /<div class="masthead">.*?<\/dl>/s.exec(html) ?? [];
  const [, action] = /<form action="([^"]+)"[^>]* role="search">/.exec(masthead) ?? [];
  const [, field] = /<input [^>]*name="(\w+)" type="search"/.exec(masthead) ?? [];
  const found = await app.text(`${action}?${field}=seen`);
  assertStringIncludes(found, "Lighthouse");
  assertEquals(found.includes("Anvil"), false);
  assertStringIncludes(masthead, `<a class="together" href="/submit">a form</a>`);
  assertStringIncludes(masthead, `<a href="/agents">one API call</a>`);
});

Deno.test("the home page shows each gem's tagline and links to all categories and gems", async () => {
  await using app = await testApp();
  const { catalogue } = app.deps;
  for (const n of [1, 2, 3, 4]) {
    await submit(app, { name: `P ${n}`, tagline: `Does ${n}`, category: "game" });
    catalogue.setGem(`p-${n}`, { note: `Picked for ${n}`, since: TEST_NOW });
  }
  const html = await app.text("/");
  const part = (name: string) =>
    new RegExp(`<section aria-labelledby="${name}">.*?</section>`, "s").exec(html)![0];
  const gems = part("gems");
  assertEquals([...gems.matchAll(/<p dir="auto">([^<]*)</g)].map(([, text]) => text), [
    "Does 1",
    "Does 2",
    "Does 3",
  ]);
  assertStringIncludes(gems, `href="/projects?gems=1"`);
  const shelves = [
    ...part("categories").matchAll(/href="\/c\/([a-z-]+)".*?<span[^>]*>(\d+)</g),
  ];
  assertEquals(shelves.map(([, slug, count]) => [slug, count]), [["game", "4"]]);
});

Deno.test("the home page loads while the poll and the guestbook are still loading", async () => {
  await using app = await testApp();
  await submit(app, { name: "Inkwell" });
  app.deps.pollBoard.read = () => new Promise(() => {});
  app.deps.guestbookBoard.read = () => new Promise(() => {});
  const response = await app.request("/");
  assertEquals(response.status, 200);
  assertStringIncludes(await response.text(), "Inkwell");
});
