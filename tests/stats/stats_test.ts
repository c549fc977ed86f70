import { assertEquals } from "@std/assert";
import { addDays, DAY_MS, HOUR_MS, MINUTE_MS, utcDay } from "@/lib/clock.ts";
import { Store } from "@/lib/kv/store.ts";
import { createLog } from "@/lib/log.ts";
import { statsKeys } from "@/lib/stats/keys.ts";
import { surfaceOf } from "@/lib/stats/surface.ts";
import { Traffic } from "@/lib/stats/traffic.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { kvListing, kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { rpc } from "../support/mcp.ts";
import { until } from "../support/until.ts";
import { BROWSER } from "../support/user_agents.ts";

const GPTBOT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2)";

const PATHS: [path: string, surface: string | null][] = [
  ["/", "pages"],
  ["/p/inkwell", "pages"],
  ["/p/inkwell.md", "pages"],
  ["/go/inkwell", "pages"],
  ["/api", "pages"],
  ["/api/v1", "api"],
  ["/api/v1/projects", "api"],
  ["/openapi.json", "api"],
  ["/api/mcp", "mcp"],
  ["/llms.txt", "llms"],
  ["/llms-full.txt", "llms"],
  ["/feed.xml", "feed"],
  ["/feed.json", "feed"],
  ["/c/game/feed.xml", "feed"],
  ["/api/v1/health", null],
  ["/votes", null],
  ["/api/v1/projects/inkwell/badge.svg", null],
  ["/api/stripe/webhook", null],
  ["/styles.css", null],
  ["/theme", null],
  ["/sitemap.xml", null],
  ["/robots.txt", null],
  ["/.well-known/mcp.json", null],
];

for (const [path, surface] of PATHS) {
  Deno.test(`${path} counts as ${surface ?? "nothing"}`, () => {
    assertEquals(surfaceOf(path), surface as ReturnType<typeof surfaceOf>);
  });
}

Deno.test("GET stats counts requests by surface, class and AI user agent", async () => {
  await using app = await testApp();
  const get = (path: string, userAgent: string, headers: HeadersInit = {}) =>
    app.request(path, { userAgent, headers });
  await get("/", BROWSER);
  await get("/", BROWSER);
  await get("/api/v1/projects", GPTBOT);
  await get("/api/v1/projects", "curl/8.5.0");
  await get("/api/v1/projects", "curl/8.5.0", { "x-agent-name": "Scout" });
  // A name that is too long is rejected only where it is used, and still marks the caller as an agent.
  await get("/api/v1/meta", BROWSER, { "x-agent-name": "x".repeat(61) });
  await get("/api/v1/projects?limit=0", BROWSER);
  await get("/nothing-here", BROWSER);
  await get("/llms.txt", BROWSER);
  await get("/feed.xml", "curl/8.5.0");
  await rpc(app, "tools/list", {}, { userAgent: "curl/8.5.0" });
  const { body } = await app.json("/api/v1/stats", { userAgent: "curl/8.5.0" });
  assertEquals(body.windows.today.pages, { person: 2, ai_agent: 0, crawler: 0, total: 2 });
  assertEquals(body.windows.today.api, { person: 0, ai_agent: 3, crawler: 1, total: 4 });
  assertEquals(body.windows.today.llms, { person: 1, ai_agent: 0, crawler: 0, total: 1 });
  assertEquals(body.windows.today.feed, { person: 0, ai_agent: 0, crawler: 1, total: 1 });
  assertEquals(body.windows.today.mcp, { person: 0, ai_agent: 1, crawler: 0, total: 1 });
  assertEquals(body.windows.all.all.total, 9);
  assertEquals(body.aiVisitors["1d"], [{ name: "GPTBot", operator: "OpenAI", requests: 1 }]);
  assertEquals(body.since, "2026-03-04");
  assertEquals(body.days.map(({ day }: { day: string }) => day), ["2026-03-04"]);
});

Deno.test("GET stats lists AI user agents by their requests, then by name", async () => {
  await using app = await testApp();
  for (const bot of ["GPTBot", "ClaudeBot", "PerplexityBot", "PerplexityBot", "ClaudeBot"]) {
    await app.request("/", { userAgent: `Mozilla/5.0 (compatible; ${bot}/1.0)` });
  }
  const { aiVisitors } = (await app.json("/api/v1/stats")).body;
  assertEquals(
    aiVisitors["1d"].map((row: { name: string; requests: number }) => [row.name, row.requests]),
    [["ClaudeBot", 2], ["PerplexityBot", 2], ["GPTBot", 1]],
  );
});

Deno.test("GET stats counts by UTC day, and its 7-day and 30-day windows include today", async () => {
  await using app = await testApp();
  for (const days of [0, 1, 22, 1, 6]) {
    app.clock.advance(days * DAY_MS);
    await app.request("/", { userAgent: GPTBOT });
  }
  const { body } = await app.json("/api/v1/stats");
  const totals = Object.values(body.windows).map((w) => (w as typeof body.windows.all).pages.total);
  // On April 3, the last seven days begin on March 28 and the last thirty on March 5.
  assertEquals(totals, [1, 2, 4, 5]);
  // A chart's days are consecutive and include those without requests.
  const seen = ["2026-03-05", "2026-03-27", "2026-03-28", "2026-04-03"];
  assertEquals(
    body.days.map((row: { day: string; traffic: typeof body.windows.all }) => [
      row.day,
      row.traffic.pages.total,
    ]),
    Array.from({ length: 30 }, (_, i) => {
      const day = addDays("2026-03-05", i);
      return [day, seen.includes(day) ? 1 : 0];
    }),
  );
  const visitors = ["1d", "7d", "30d"].map((window) => body.aiVisitors[window][0].requests);
  assertEquals(visitors, [1, 2, 4]);
});

Deno.test("GET stats excludes future days that a fast clock has counted", async () => {
  await using app = await testApp();
  app.clock.advance(365 * DAY_MS);
  await app.request("/", { userAgent: GPTBOT });
  await app.deps.traffic.flush();
  // A request from that day that isn't written yet doesn't count for today either.
  await app.request("/", { userAgent: GPTBOT });
  app.clock.advance(-365 * DAY_MS);
  await app.request("/", { userAgent: GPTBOT });
  const { windows, aiVisitors, since } = (await app.json("/api/v1/stats")).body;
  for (const window of ["today", "30d", "all"]) assertEquals(windows[window].pages.total, 1);
  assertEquals(since, utcDay(TEST_NOW));
  assertEquals(aiVisitors["1d"][0].requests, 1);
});

Deno.test("GET stats ignores surfaces of a newer version, which was rolled back", async () => {
  await using app = await testApp();
  await app.deps.store.transact((tx) => {
    tx.sum(statsKeys.traffic(utcDay(TEST_NOW), "newer", "person"), 5n);
  });
  const { status, body } = await app.json("/api/v1/stats");
  assertEquals([status, body.windows.all.all.total], [200, 0]);
});

Deno.test("counting writes nothing before the flush, and a KV failure loses no counts (invariant 35)", async () => {
  const kv = await Deno.openKv(":memory:");
  let down = false;
  const failing = kvWith(kv, {
    before(method) {
      if (method === "atomic" && down) throw new Error("down");
    },
  });
  const warned: string[] = [];
  await using app = await testApp({ kv: failing });
  app.deps.log.warn = (event) => warned.push(event);
  await app.request("/");
  const count = async () =>
    (await Array.fromAsync(kv.list({ prefix: statsKeys.allTraffic }))).length;
  assertEquals(await count(), 0);
  down = true;
  await app.deps.traffic.flush();
  down = false;
  await app.request("/");
  await app.deps.traffic.flush();
  const [entry] = await Array.fromAsync(kv.list<Deno.KvU64>({ prefix: statsKeys.allTraffic }));
  assertEquals(entry!.value.value, 2n);
  assertEquals(warned, ["traffic_not_flushed"]);
});

Deno.test("counts are written once a minute at most, and soon after a quiet minute", async () => {
  const kv = await Deno.openKv(":memory:");
  let commits = 0;
  const clock = fixedClock(TEST_NOW);
  const store = new Store(kvWith(kv, { commit: (land) => (commits++, land()) }), clock);
  const traffic = new Traffic({ store, log: createLog("silent") });
  const commitsAfter = async (ms: number, isVisited = true) => {
    clock.advance(ms);
    if (isVisited) traffic.count({ surface: "api", visitorClass: "person", aiVisitor: null });
    await traffic.flushIfDue();
    return commits;
  };
  assertEquals(await commitsAfter(0), 1);
  assertEquals(await commitsAfter(55_000), 1);
  assertEquals(await commitsAfter(5_000, false), 2, "a minute after the first");
  assertEquals(await commitsAfter(MINUTE_MS, false), 2, "nothing to write");
  assertEquals(await commitsAfter(0), 3);
  assertEquals(await commitsAfter(-HOUR_MS), 4, "the clock was set back");
  store.close();
});

Deno.test("a flush writes each counter once, even more than fit in one commit", async () => {
  const kv = await Deno.openKv(":memory:");
  const clock = fixedClock(TEST_NOW);
  const store = new Store(kv, clock);
  const traffic = new Traffic({ store, log: createLog("silent") });
  for (let day = 0; day < 1_001; day++) {
    traffic.count({ surface: "api", visitorClass: "person", aiVisitor: null });
    clock.advance(DAY_MS);
  }
  await traffic.flush();
  const entries = await Array.fromAsync(kv.list<Deno.KvU64>({ prefix: statsKeys.allTraffic }));
  assertEquals(entries.map(({ value }) => value.value), Array(1_001).fill(1n));
  store.close();
});

Deno.test("pages with traffic don't wait for writes, and include counts not yet written", async () => {
  const kv = await Deno.openKv(":memory:");
  let commits = 0;
  const counting = kvWith(kv, { commit: (land) => (commits++, land()) });
  await using app = await testApp({ kv: counting });
  for (let visit = 0; visit < 2; visit++) {
    await app.request("/about", { userAgent: GPTBOT });
    const before = commits;
    for (const path of ["/", "/guestbook", "/ai-of-the-day", "/stats"]) {
      assertEquals((await app.request(path, { userAgent: "curl/8.5.0" })).status, 200);
    }
    const { aiVisitors, windows } = (await app.json("/api/v1/stats")).body;
    assertEquals(commits, before);
    assertEquals(aiVisitors["1d"][0].requests, visit + 1);
    assertEquals(windows.today.pages.ai_agent, visit + 1);
    assertEquals((await app.json("/api/v1/guestbook")).body.detectedAiVisitors.since, "2026-03-04");
    await app.deps.traffic.flush();
    assertEquals(commits, before + 1);
    app.clock.advance(10_000);
  }
});

Deno.test("GET stats sums days up to once in ten seconds, and rereads old ones once an hour", async () => {
  const kv = await Deno.openKv(":memory:");
  let entries = 0;
  const counting = kvListing(kv, () => entries++);
  await using app = await testApp({ kv: counting });
  const read = async (path: string) => {
    entries = 0;
    await app.text(path);
    return entries;
  };
  for (let days = 0; days < 60; days++) {
    await app.request("/", { userAgent: GPTBOT });
    await app.deps.traffic.flush();
    app.clock.advance(DAY_MS);
  }
  assertEquals(await read("/api/v1/stats") > 60, true);
  assertEquals((await app.json("/api/v1/stats")).body.windows.all.pages.total, 60);
  await submit(app);
  assertEquals(await read("/api/v1/stats"), 0);
  assertEquals(await read("/stats") < 10, true);
  app.clock.advance(10_000);
  // Two days of traffic, and thirty days of AI user agents.
  assertEquals(await read("/api/v1/stats") < 40, true);
  app.clock.advance(HOUR_MS);
  assertEquals(await read("/api/v1/stats") > 60, true);
});

Deno.test("GET stats shows late writes for past days within an hour", async () => {
  await using app = await testApp();
  await app.request("/", { userAgent: BROWSER });
  const total = async () => (await app.json("/api/v1/stats")).body.windows.all.pages.total;
  assertEquals(await total(), 1);
  app.clock.advance(3 * DAY_MS);
  assertEquals(await total(), 1);
  await app.deps.store.transact((tx) => {
    tx.sum(statsKeys.traffic("2026-03-05", "pages", "person"), 2n);
    return Promise.resolve();
  });
  app.clock.advance(HOUR_MS);
  assertEquals(await total(), 3);
});

for (const lands of [true, false]) {
  Deno.test(`counts whose write KV didn't confirm are counted once, ${lands ? "stored" : "lost"}`, async () => {
    const kv = await Deno.openKv(":memory:");
    const back = Promise.withResolvers<void>();
    const away = kvWith(kv, {
      get: (key) => back.promise.then(() => kv.get(key)),
      async commit(land) {
        const isHeld = !isBack;
        await back.promise;
        if (isHeld && !lands) throw new Error("lost");
        return await land();
      },
    });
    let isBack = false;
    const store = new Store(away, fixedClock(TEST_NOW), { deadlineMs: 2, settleMs: 5 });
    const traffic = new Traffic({ store, log: createLog("silent") });
    traffic.count({ surface: "api", visitorClass: "person", aiVisitor: null });
    await traffic.flush();
    isBack = true;
    back.resolve();
    await until("it is counted", async () => {
      await traffic.flush();
      const [entry] = await Array.fromAsync(kv.list<Deno.KvU64>({ prefix: statsKeys.allTraffic }));
      return entry?.value.value === 1n;
    });
    await store.idle();
    await traffic.flush();
    const [entry] = await Array.fromAsync(kv.list<Deno.KvU64>({ prefix: statsKeys.allTraffic }));
    assertEquals(entry!.value.value, 1n);
    store.close();
  });
}

Deno.test("/stats has only one title element, since a chart's could replace the page's", async () => {
  await using app = await testApp();
  await app.request("/");
  const html = await app.text("/stats");
  assertEquals(html.match(/<title[ >]/g)?.length, 1);
});
