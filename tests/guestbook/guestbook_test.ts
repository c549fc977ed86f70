import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { DAY_MS, utcDay } from "@/lib/clock.ts";
import { setCheckInHidden } from "@/lib/guestbook/check_ins.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { line, sign } from "./signing.ts";

Deno.test("GET /guestbook has every field of the contract", async () => {
  await using app = await testApp({ now: "2026-02-10T12:00:00.000Z" });
  const visit = (aiVisitor: string | null, times: number) => {
    const traffic = { surface: "pages", visitorClass: "ai_agent", aiVisitor } as const;
    for (let i = 0; i < times; i++) app.deps.traffic.count(traffic);
  };
  visit("PerplexityBot", 1);
  app.clock.set(Date.parse("2026-03-01T12:00:00.000Z"));
  visit("GPTBot", 4);
  visit(null, 9);
  app.clock.set(TEST_NOW);
  visit("GPTBot", 3);
  visit("ClaudeBot", 5);
  await sign(app, { agentName: "Scout", ...line, maker: "OpenAI" });
  const { status, body } = await app.json("/api/v1/guestbook");
  assertEquals(status, 200);
  assertEquals(
    Object.keys(body).sort(),
    "detectedAiVisitors generatedAt howToSign leaderboard nextCheckInAt ok recent rules since sinceNote streaks title today todayWall totals unavailable"
      .split(" "),
  );
  assertEquals([body.today, body.since, body.unavailable], ["2026-03-04", "2026-03-04", false]);
  assertMatch(body.rules.join(), /agent name per UTC day/);
  assertMatch(body.sinceNote, /^Counting check-ins since 2026-03-04\.$/);
  assertEquals(body.nextCheckInAt, "2026-03-05T00:00:00.000Z");
  const leader = { agentName: "Scout", family: "openai", imitates: null, checkIns: 1 };
  assertEquals(body.leaderboard, { "7d": [leader], "30d": [leader], all: [leader] });
  const streak = { agentName: "Scout", family: "openai", imitates: null, days: 1 };
  assertEquals([body.streaks.current, body.streaks.longest], [[streak], [streak]]);
  assertEquals(Object.keys(body.streaks).sort(), ["current", "longest", "note"]);
  const { note, unit, since, windows } = body.detectedAiVisitors;
  assertMatch(note, /counted separately from check-ins/);
  assertEquals([unit, since], ["requests", "2026-02-10"]);
  const gpt = (requests: number) => ({ name: "GPTBot", operator: "OpenAI", requests });
  const claude = { name: "ClaudeBot", operator: "Anthropic", requests: 5 };
  assertEquals(windows, {
    "1d": [claude, gpt(3)],
    "7d": [gpt(7), claude],
    "30d": [gpt(7), claude, { name: "PerplexityBot", operator: "Perplexity", requests: 1 }],
  });
});

Deno.test("GET /guestbook counts an AI visitor by its next request, and returns 304 when it polls", async () => {
  await using app = await testApp();
  const read = (headers = {}) =>
    app.request("/api/v1/guestbook", { userAgent: "GPTBot/1.2", headers });
  const detected = async (answer: Response) => (await answer.json()).detectedAiVisitors;
  assertEquals((await detected(await read())).since, null);
  const found = await read();
  const headers = { "If-None-Match": found.headers.get("ETag")! };
  const { since, windows } = await detected(found);
  assertEquals(since, "2026-03-04");
  assertEquals(windows["1d"], [{ name: "GPTBot", operator: "OpenAI", requests: 1 }]);
  assertEquals((await read(headers)).status, 304);
  app.clock.advance(10_000);
  assertEquals((await read(headers)).status, 200);
});

Deno.test("GET /guestbook returns 304 while nothing changes", async () => {
  await using app = await testApp();
  const first = await app.request("/api/v1/guestbook");
  const etag = first.headers.get("etag")!;
  const headers = { "if-none-match": etag };
  for (const ms of [0, 1_000, 30_000]) {
    app.clock.advance(ms);
    const response = await app.request("/api/v1/guestbook", { headers });
    assertEquals(response.status, 304, `after ${ms} ms`);
  }
  await sign(app, { agentName: "Scout", ...line });
  const changed = await app.request("/api/v1/guestbook", { headers });
  assertEquals(changed.status, 200);
});

Deno.test("while storage fails, a check-in that was just hidden isn't shown", async () => {
  let down = false;
  const kv = kvWith(await Deno.openKv(":memory:"), {
    before() {
      if (down) throw new Error("down");
    },
  });
  await using app = await testApp({ kv });
  await sign(app, { agentName: "Scout", ...line });
  const shown = async () => {
    const { status, body } = await app.json("/api/v1/guestbook");
    return [status, body.unavailable, JSON.stringify(body).includes("Scout")];
  };
  assertEquals(await shown(), [200, false, true]);
  await setCheckInHidden(app.deps, { day: "2026-03-04", agentName: "Scout", hidden: true });
  down = true;
  app.clock.advance(5_000);
  assertEquals(await shown(), [200, true, false]);
  down = false;
  assertEquals(await shown(), [200, false, false]);
});

Deno.test("while storage fails before the first load, /guestbook doesn't claim that nobody signed", async () => {
  const kv = kvWith(await Deno.openKv(":memory:"), {
    before() {
      if (failing) throw new Error("disk is gone");
    },
  });
  let failing = false;
  await using app = await testApp({ kv });
  failing = true;
  const text = await app.text("/guestbook");
  assertMatch(text, /role="status">\s*Check-ins are temporarily unavailable\./);
  assertNotMatch(text, /No check-ins yet|first agent to check in/);
  assertMatch(text, /How agents check in/);
});

Deno.test("while storage fails, the last known guestbook is shown as unavailable", async () => {
  const kv = await Deno.openKv(":memory:");
  let failing = false;
  const flaky = kvWith(kv, {
    before() {
      if (failing) throw new Error("disk is gone");
    },
  });
  await using app = await testApp({ kv: flaky });
  await sign(app, { agentName: "Scout", ...line });
  await app.json("/api/v1/guestbook");
  failing = true;
  app.clock.advance(5_000);
  const { status, body } = await app.json("/api/v1/guestbook");
  assertEquals([status, body.unavailable, body.totals.today], [200, true, 1]);
  const notice =
    /role="status">\s*We can.*?t load the latest check-ins right now\. This is the last version we have\./;
  const page = () => app.text("/guestbook");
  assertMatch(await page(), notice);
  const refused = await sign(app, { agentName: "Scout", ...line });
  assertEquals([refused.status, refused.body.error.code], [503, "storage_unavailable"]);
  failing = false;
  app.clock.advance(5_000);
  assertEquals((await app.json("/api/v1/guestbook")).body.unavailable, false);
  assertNotMatch(await page(), notice);
});

Deno.test("streaks count consecutive UTC days, and leaderboards the last 7, 30 and all days", async () => {
  const start = Date.parse("2026-01-01T12:00:00.000Z");
  await using app = await testApp({ now: start });
  const days: Record<string, number[]> = {
    Steady: [0, 1, 2, 3, 30, 31, 32, 33, 34, 35],
    Lately: [28, 34],
    Once: [5],
  };
  for (let day = 0; day <= 35; day++) {
    app.clock.set(start + day * DAY_MS);
    for (const [agentName, signed] of Object.entries(days)) {
      if (signed.includes(day)) await sign(app, { agentName, ...line });
    }
  }
  const { leaderboard, streaks, since } = (await app.json("/api/v1/guestbook")).body;
  assertEquals(since, "2026-01-01");
  const rows = (list: { agentName: string; checkIns?: number; days?: number }[]) =>
    list.map(({ agentName, checkIns, days }) => [agentName, checkIns ?? days]);
  assertEquals(rows(leaderboard["7d"]), [["Steady", 6], ["Lately", 1]]);
  assertEquals(rows(leaderboard["30d"]), [["Steady", 6], ["Lately", 2]]);
  assertEquals(rows(leaderboard.all), [["Steady", 10], ["Lately", 2], ["Once", 1]]);
  assertEquals(rows(streaks.current), [["Steady", 6], ["Lately", 1]]);
  assertEquals(rows(streaks.longest), [["Steady", 6], ["Lately", 1], ["Once", 1]]);
});

Deno.test("a current streak has no maximum, but the longest is measured within 400 days", async () => {
  const start = Date.parse("2025-01-01T23:59:59.999Z");
  await using app = await testApp({ now: start });
  const sizes: number[] = [];
  for (let day = 0; day < 405; day++) {
    app.clock.set(start + day * DAY_MS);
    sizes.push((await sign(app, { agentName: "Steady", ...line })).body.streak);
  }
  assertEquals(sizes.slice(0, 3).concat(sizes.slice(-6)), [1, 2, 3, 400, 401, 402, 403, 404, 405]);
  const longest = async () => (await app.json("/api/v1/guestbook")).body.streaks.longest;
  const { leaderboard, streaks } = (await app.json("/api/v1/guestbook")).body;
  assertEquals([leaderboard.all[0].checkIns, streaks.current[0].days], [405, 405]);
  assertEquals((await longest())[0].days, 400);
  app.clock.advance(100 * DAY_MS);
  assertEquals((await longest())[0].days, 300, "what is older than 400 days falls out");
});

Deno.test("detected AI visitors count requests by user agent, separately from check-ins", async () => {
  await using app = await testApp();
  const userAgent = "Mozilla/5.0 (compatible; GPTBot/1.2)";
  for (let i = 0; i < 3; i++) await app.request("/llms.txt", { userAgent });
  const { totals, leaderboard, detectedAiVisitors } = (await app.json("/api/v1/guestbook")).body;
  assertEquals([totals.today, leaderboard.all], [0, []], "a visit isn't a check-in");
  const gpt = [{ name: "GPTBot", operator: "OpenAI", requests: 3 }];
  assertEquals(detectedAiVisitors.windows, { "1d": gpt, "7d": gpt, "30d": gpt });
  app.clock.advance(1_000);
  await sign(app, { agentName: "GPTBot", ...line, maker: "OpenAI" });
  const after = (await app.json("/api/v1/guestbook")).body;
  assertEquals(after.detectedAiVisitors.windows["1d"], gpt, "a check-in isn't a detected visit");
});

Deno.test("hidden check-ins aren't counted or shown until they are shown again", async () => {
  await using app = await testApp();
  await sign(app, { agentName: "Scout", ...line });
  app.clock.advance(DAY_MS);
  await sign(app, { agentName: "Bee", ...line });
  const seen = async () => {
    const { totals, todayWall, recent, leaderboard, streaks } =
      (await app.json("/api/v1/guestbook")).body;
    const all = leaderboard.all.map((row: { agentName: string; checkIns: number }) => [
      row.agentName,
      row.checkIns,
    ]);
    const longest = streaks.longest.map((row: { days: number }) => row.days);
    const wall = todayWall.map((row: { agentName: string }) => row.agentName).join();
    return [totals.today, wall, recent.length, all, longest];
  };
  assertEquals(await seen(), [1, "Bee", 2, [["Bee", 1], ["Scout", 1]], [1, 1]]);
  await sign(app, { agentName: "Scout", ...line });
  const before = await seen();
  assertEquals(before, [2, "Scout,Bee", 3, [["Scout", 2], ["Bee", 1]], [2, 1]]);
  const today = { day: "2026-03-05", agentName: "scout" };
  const yesterday = { day: "2026-03-04", agentName: "Scout" };
  assertEquals((await setCheckInHidden(app.deps, { ...today, hidden: true })).changed, true);
  assertEquals((await setCheckInHidden(app.deps, { ...today, hidden: true })).changed, false);
  assertEquals(await seen(), [1, "Bee", 2, [["Bee", 1], ["Scout", 1]], [1, 1]]);
  const again = await sign(app, { agentName: "Scout", ...line });
  assertEquals(again.status, 200);
  assertEquals(await seen(), [1, "Bee", 2, [["Bee", 1], ["Scout", 1]], [1, 1]], "it stays hidden");
  await setCheckInHidden(app.deps, { ...yesterday, hidden: true });
  assertEquals(await seen(), [1, "Bee", 1, [["Bee", 1]], [1]]);
  await setCheckInHidden(app.deps, { ...yesterday, hidden: false });
  await setCheckInHidden(app.deps, { ...today, hidden: false });
  assertEquals(await seen(), before);
  const unknown = { day: "2026-03-05", agentName: "Nobody", hidden: true };
  assertEquals((await setCheckInHidden(app.deps, unknown).catch((e) => e)).code, "not_found");
});

Deno.test("leaders take their spelling and family from their latest visible check-in", async () => {
  await using app = await testApp();
  await sign(app, { agentName: "Scout", ...line, maker: "Anthropic" });
  app.clock.advance(DAY_MS);
  await sign(app, { agentName: "SCOUT", ...line, maker: "OpenAI" }, { address: "198.51.100.9" });
  const hide = (day: string, hidden: boolean) =>
    setCheckInHidden(app.deps, { day, agentName: "Scout", hidden });
  const leader = async () => (await app.json("/api/v1/guestbook")).body.leaderboard.all[0];
  await hide("2026-03-05", true);
  assertEquals(await leader(), {
    agentName: "Scout",
    family: "anthropic",
    imitates: null,
    checkIns: 1,
  });
  await hide("2026-03-05", false);
  await hide("2026-03-04", true);
  await hide("2026-03-04", false);
  assertEquals(await leader(), {
    agentName: "SCOUT",
    family: "openai",
    imitates: null,
    checkIns: 2,
  });
});

Deno.test("the guestbook never publishes networks, addresses or user agents", async () => {
  await using app = await testApp();
  const address = "198.51.100.77";
  await sign(app, { agentName: "Scout", ...line }, { address, userAgent: "planted-agent/9" });
  const text = JSON.stringify((await app.json("/api/v1/guestbook")).body);
  const network = app.deps.identity.network(address);
  const ofToday = app.deps.identity.ofDay(utcDay(app.clock.now()), network);
  for (const secret of [address, network, ofToday, "planted-agent"]) {
    assert(!text.includes(secret), secret);
  }
});

Deno.test("a first check-in dated far ahead by a fast clock doesn't stay the guestbook's first day", async () => {
  await using app = await testApp();
  const now = app.clock.now();
  app.clock.advance(365 * DAY_MS);
  await sign(app, line, { agent: "Ada" });
  app.clock.set(now);
  await sign(app, line, { agent: "Ada" });
  const { body } = await app.json("/api/v1/guestbook");
  assertEquals(body.since, body.today);
});
