import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import type { Fetched } from "@/lib/fetching/schema.ts";
import { listValues } from "@/lib/kv/ranges.ts";
import { checkLinks } from "@/lib/links/check_links.ts";
import { look, seenIn } from "@/lib/links/look.ts";
import { afterLook, type Seen, type StoredHealth } from "@/lib/listings/health.ts";
import { noticeKeys } from "@/lib/notices/keys.ts";
import type { Notice } from "@/lib/notices/outbox.ts";
import { WebDouble } from "../fetching/web_double.ts";
import { exchangeNews, type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { callTool } from "../support/mcp.ts";

/** Lets a day pass and checks links. */
async function nextDay(app: TestApp): Promise<boolean> {
  app.clock.advance(DAY_MS);
  const isBusy = await checkLinks(app.deps, app.clock.now());
  await app.deps.sync.caughtUp();
  return isBusy;
}

const healthOf = async (app: TestApp, slug: string) =>
  (await app.json(`/api/v1/projects/${slug}`)).body.project.health;

const answer = (status: number, rest: Partial<Fetched & { ok: true }> = {}): Fetched => ({
  ok: true,
  status,
  url: "https://example.com/",
  redirects: [],
  body: "",
  ...rest,
});

Deno.test("a link's response is classified as alive, moved, gated, gone, unreachable or unknown", () => {
  const url = "https://example.com/";
  const to = (url: string, ...redirects: number[]) => answer(200, { url, redirects });
  for (
    const [expected, ...answers] of [
      ["alive", answer(200), answer(206), to("https://www.example.com/", 301)],
      // Temporary redirects, or chains with one, don't count as moved.
      ["alive", to("https://other.example/", 302), to("https://other.example/", 301, 307)],
      ["moved", to("https://other.example/", 301), to("https://example.com/new", 308, 301)],
      ["gated", ...[401, 403, 407, 429, 451].map((status) => answer(status))],
      ["gated", answer(503, { body: "<title>Just a moment...</title>" })],
      ["gone", answer(404), answer(410)],
      ["unreachable", answer(500), answer(503), answer(530)],
      ["unknown", answer(400), answer(302), answer(304), answer(418)],
      ["unknown", ...(["bad_url", "private_address"] as const).map(failed)],
      [
        "unreachable",
        ...([
          "no_address",
          "unreachable",
          "timeout",
          "bad_certificate",
          "too_many_redirects",
        ] as const).map(failed),
      ],
      [null, failed("busy")],
    ] as [Seen | null, ...Fetched[]][]
  ) {
    for (const each of answers) assertEquals(seenIn(url, each), expected, JSON.stringify(each));
  }
  function failed(problem: (Fetched & { ok: false })["problem"]): Fetched {
    return { ok: false, problem };
  }
});

Deno.test("a link counts as gone or unreachable after three failures in a row, and as anything else immediately", () => {
  const url = "https://example.com/";
  let health: StoredHealth | null = null;
  const day = (n: number, seen: Seen) => {
    health = afterLook(health, { url, seen, now: n * DAY_MS });
    const { state, since, checkedAt } = health;
    return [
      state,
      since === null ? null : since / DAY_MS,
      checkedAt === null ? null : checkedAt / DAY_MS,
    ];
  };
  assertEquals(day(1, "gone"), ["unknown", null, null]);
  assertEquals(day(2, "alive"), ["alive", 2, 2]);
  assertEquals(day(3, "alive"), ["alive", 2, 3]);
  // A failed check doesn't update the time of the last success.
  assertEquals(day(4, "gone"), ["alive", 2, 3]);
  assertEquals(day(5, "unreachable"), ["alive", 2, 3]);
  assertEquals(day(6, "gone"), ["gone", 6, 6]);
  assertEquals(day(7, "gone"), ["gone", 6, 7]);
  assertEquals(day(8, "gated"), ["gated", 8, 8]);
  assertEquals(day(9, "gone"), ["gated", 8, 8]);
  const other = afterLook(health, { url: "https://new.example/", seen: "gone", now: 0 });
  assertEquals([other.state, other.failures], ["unknown", 1]);
});

Deno.test("link checks obey robots.txt under the fetcher's own name, and don't require one", async () => {
  await using web = new WebDouble();
  let robots = "";
  let status = 200;
  const asked: string[] = [];
  web.serve("example.test", ({ url }) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    return pathname === "/robots.txt" ? new Response(robots, { status }) : new Response("hello");
  });
  const see = (url = "http://example.test/a") =>
    look(web.fetcher, { url, robots: (origin) => web.fetcher.get(`${origin}/robots.txt`) });
  for (
    const [rules, expected] of [
      ["", "alive"],
      ["User-agent: *\nDisallow: /", "unknown"],
      ["User-agent: *\nDisallow: /b", "alive"],
      ["User-agent: *\nDisallow: /\n\nUser-agent: test-fetcher\nAllow: /", "alive"],
      ["User-agent: test-fetcher\nDisallow: /a", "unknown"],
      ["User-agent: other\nDisallow: /", "alive"],
      ["<html>no rules", "alive"],
    ] as const
  ) {
    robots = rules;
    asked.length = 0;
    assertEquals(await see(), expected, rules);
    assertEquals(asked, expected === "alive" ? ["/robots.txt", "/a"] : ["/robots.txt"]);
  }
  for (const [code, expected] of [[404, "alive"], [403, "alive"], [500, "unknown"]] as const) {
    status = code;
    assertEquals(await see(), expected);
  }
  assertEquals(await see("http://nobody.test/"), "unreachable");
});

Deno.test("links are checked daily, and changes show in every format, the filter and the log", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  let status = 200;
  web.serve("example.test", () => new Response("", { status }));
  const { project: { slug, health } } = await submit(app, {
    url: "http://example.test/",
    contactEmail: "ann@example.test",
  });
  await submit(app, { url: "http://never.test/" });
  assertEquals(health, { state: "unknown", since: null, checkedAt: null });
  assert(!(await app.text(`/p/${slug}`)).includes("<dt>Link"));
  const before = (await app.json("/api/v1/changes")).body.changes.at(-1).id;
  assert(await nextDay(app));
  const first = "2026-03-05T12:00:00.000Z";
  assertEquals(await healthOf(app, slug), { state: "alive", since: first, checkedAt: first });
  assertMatch(
    await app.text(`/p/${slug}`),
    /<dt>Link<\/dt><dd>Works, checked <time/,
  );
  assertStringIncludes(
    await app.text(`/p/${slug}.md`),
    `- Link: alive, checked ${first}`,
  );
  const found = async (state: string) => {
    const { body } = await app.json(`/api/v1/projects?health=${state}`);
    return body.projects.map((project: { slug: string }) => project.slug);
  };
  assertEquals(await found("alive"), [slug]);
  assertEquals(await found("gone"), []);
  assertStringIncludes(await app.text("/projects?health=alive"), `/p/${slug}`);
  const { structuredContent } = await callTool(app, "search_projects", { health: "alive" });
  assertEquals((structuredContent as { total: number }).total, 1);
  assertEquals((await app.json("/api/v1/projects?health=fine")).status, 400);
  // The same day, no check is due.
  app.clock.advance(HOUR_MS);
  assertEquals(await checkLinks(app.deps, app.clock.now()), false);
  status = 404;
  for (const expected of ["alive", "alive", "gone"]) {
    await nextDay(app);
    assertEquals((await healthOf(app, slug)).state, expected);
  }
  // It is still shown and listed.
  assertEquals((await app.json("/api/v1/projects")).body.total, 2);
  const { body: { changes } } = await app.json(`/api/v1/changes?since=${before}`);
  const mine = changes.filter((change: { slug: string }) => change.slug === slug);
  assertEquals(mine.map(({ event }: { event: string }) => event), ["link_gone"]);
  assertMatch(await app.text("/changes"), /Link not found/);
  const notices = await listValues<Notice>(app.deps.store, noticeKeys.all);
  assertEquals(notices.map(({ event }) => event.type), ["link_gone"]);
});

Deno.test("link checks can be turned off, and a new URL starts over", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  for (const host of ["example.test", "new.test"]) web.serve(host, () => new Response(""));
  const made = await submit(app, { url: "http://example.test/", linkCheck: "off" });
  const { slug } = made.project;
  assertEquals([made.project.linkCheck, made.project.health.state], ["off", "not_checked"]);
  assertEquals(await nextDay(app), false);
  assertEquals(web.requests, []);
  assertMatch(
    await app.text(`/p/${slug}`),
    /Not checked, at the owner's request/,
  );
  const edit = async (json: unknown) =>
    (await app.json(`/api/v1/projects/${slug}`, {
      method: "PATCH",
      json,
      editKey: made.editKey,
    })).body.project.health.state;
  assertEquals(await edit({ linkCheck: null }), "unknown");
  assert(await nextDay(app));
  assertEquals((await healthOf(app, slug)).state, "alive");
  assertEquals(await edit({ tagline: "Other" }), "alive");
  assertEquals(await edit({ url: "http://new.test/" }), "unknown");
  assertEquals(await edit({ linkCheck: "off" }), "not_checked");
  // What is known of a link still applies if the owner changes their mind.
  await edit({ url: "http://example.test/", linkCheck: null });
  await app.deps.sync.caughtUp();
  assertEquals((await healthOf(app, slug)).state, "alive");
  assertEquals(
    (await app.json("/api/v1/projects", {
      json: { name: "A", url: "http://a.test", tagline: "b", linkCheck: "on" },
    })).body.error.details[0].field,
    "linkCheck",
  );
});

Deno.test("a run checks up to 100 links, five per host, oldest first, in one process at a time", async () => {
  const kv = await Deno.openKv(":memory:");
  await using web = new WebDouble();
  await using app = await testApp({ kv, fetcher: web.fetcher });
  const asked: string[] = [];
  const fetcher = {
    ...web.fetcher,
    get: (url: string) => {
      if (!url.endsWith("/robots.txt")) asked.push(new URL(url).hostname);
      return Promise.resolve(answer(200, { url }));
    },
  };
  app.deps.fetcher = fetcher;
  for (let i = 0; i < 120; i++) {
    // Of links that nobody has looked at, the newest project's is the first.
    await submit(app, { url: i < 110 ? `http://h${i}.test/` : `http://one.test/${i}` });
    app.clock.advance(1);
  }
  app.clock.advance(DAY_MS);
  const now = app.clock.now();
  const ran = await Promise.all([checkLinks(app.deps, now), checkLinks(app.deps, now)]);
  assertEquals(ran.toSorted(), [false, true]);
  assertEquals(asked.length, 100);
  assertEquals(asked.filter((host) => host === "one.test").length, 5);
  await app.deps.sync.caughtUp();
  app.clock.advance(HOUR_MS);
  await checkLinks(app.deps, app.clock.now());
  assertEquals(new Set(asked).size, 111);
  assertEquals(asked.length, 120);
});

Deno.test("other processes show the results, even one that starts later", async () => {
  const kv = await Deno.openKv(":memory:");
  await using web = new WebDouble();
  const app = await testApp({ kv, fetcher: web.fetcher });
  await using other = await testApp({ kv, fetcher: web.fetcher });
  exchangeNews(app, other);
  web.serve("example.test", () => new Response(""));
  const { project: { slug } } = await submit(app, { url: "http://example.test/" });
  await nextDay(app);
  await other.deps.sync.caughtUp();
  assertEquals((await healthOf(other, slug)).state, "alive");
  const late = await testApp({ kv, fetcher: web.fetcher });
  assertEquals((await healthOf(late, slug)).state, "alive");
});

Deno.test("without a fetcher no links are checked, and an outage leaves the rest for later", async () => {
  await using off = await testApp();
  await submit(off);
  assertEquals(await nextDay(off), false);
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test/" });
  app.deps.fetcher = { ...web.fetcher, isAway: true, get: () => Promise.reject(new Error("away")) };
  assertEquals(await nextDay(app), true);
  assertEquals((await healthOf(app, slug)).state, "unknown");
  web.serve("example.test", () => new Response(""));
  app.deps.fetcher = web.fetcher;
  await nextDay(app);
  assertEquals((await healthOf(app, slug)).state, "alive");
});
