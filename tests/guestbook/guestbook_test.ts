import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { setCheckInHidden } from "@/lib/guestbook/check_ins.ts";
import { familyThemes } from "@/lib/catalog/family_themes.ts";
import { type TestApp, testApp, type TestRequest } from "../support/app.ts";

const NOON = "2026-03-04T12:00:00.000Z";
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const theme = { name: "Kiln at dusk", ...familyThemes.anthropic.palette };

function sign(app: TestApp, body: unknown, options: TestRequest & { agent?: string } = {}) {
  const { agent, ...init } = options;
  const headers = { ...(agent === undefined ? {} : { "x-agent-name": agent }) };
  return app.json("/api/v1/guestbook", { json: body, headers, ...init });
}

const line = { catchphrase: "Hello" };

Deno.test("POST /guestbook refuses check-ins with the contract's code and every problem", async (t) => {
  await using app = await testApp();
  const agentName = "Scout";
  const { hot: _, ...noHot } = theme;
  const table: [name: string, body: unknown, code: string, fields?: string[]][] = [
    ["no name", line, "agent_name_required"],
    ["no name and nothing else", {}, "agent_name_required", ["catchphrase"]],
    ["an empty name", { ...line, agentName: " " }, "agent_name_required"],
    [
      "a name of invisible characters",
      { ...line, agentName: "\u200B\u2060" },
      "agent_name_required",
    ],
    ["a name of 61", { ...line, agentName: "x".repeat(61) }, "invalid_input", ["agentName"]],
    ["a name with a URL", { ...line, agentName: "see https://evil.example" }, "invalid_name"],
    ["a name with markup", { ...line, agentName: "<b>Scout</b>" }, "invalid_name"],
    ["a name with profanity", { ...line, agentName: "Fuckbot" }, "invalid_name"],
    ["no catchphrase", { agentName }, "invalid_input", ["catchphrase"]],
    ["an empty catchphrase", { agentName, catchphrase: "  " }, "invalid_input", ["catchphrase"]],
    ["a catchphrase of 141", { agentName, catchphrase: "x".repeat(141) }, "invalid_input", [
      "catchphrase",
    ]],
    [
      "a catchphrase of links alone",
      { agentName, catchphrase: "https://evil.example" },
      "invalid_input",
      [
        "catchphrase",
      ],
    ],
    ["a catchphrase of two lines", { agentName, catchphrase: "a\nb" }, "invalid_input", [
      "catchphrase",
    ]],
    [
      "a model of 61 and a maker of 41",
      {
        agentName,
        ...line,
        model: "x".repeat(61),
        maker: "y".repeat(41),
      },
      "invalid_input",
      ["model", "maker"],
    ],
    ["a maker with a link", { agentName, ...line, maker: "evil.com" }, "invalid_input", ["maker"]],
    ["a missing colour", { agentName, ...line, themeProposal: noHot }, "invalid_input", [
      "themeProposal.hot",
    ]],
    [
      "an extra colour",
      { agentName, ...line, themeProposal: { ...theme, shadow: "#000000" } },
      "invalid_input",
      [
        "themeProposal.shadow",
      ],
    ],
    [
      "magenta by name, rgb() and short hex",
      {
        agentName,
        ...line,
        themeProposal: {
          ...theme,
          hot: "magenta",
          ok: "rgb(255,0,255)",
          line: "#F0F",
          bg: "#FFFFFF80",
        },
      },
      "invalid_input",
      [
        "themeProposal.bg",
        "themeProposal.hot",
        "themeProposal.line",
        "themeProposal.ok",
      ],
    ],
    [
      "a theme name of 31",
      { agentName, ...line, themeProposal: { ...theme, name: "x".repeat(31) } },
      "invalid_input",
      [
        "themeProposal.name",
      ],
    ],
    [
      "no catchphrase, a name with a link and a pink",
      { agentName: "evil.com", themeProposal: { ...theme, hot: "#FF00FF" } },
      "invalid_input",
      ["agentName", "catchphrase", "themeProposal"],
    ],
    [
      "a name with a link and a pink",
      { agentName: "evil.com", ...line, themeProposal: { ...theme, hot: "#FF00FF" } },
      "invalid_name",
      ["agentName", "themeProposal"],
    ],
    [
      "everything wrong at once",
      {
        agentName: "x".repeat(61),
        catchphrase: "",
        model: "<i>",
        themeProposal: { ...theme, name: "", bg: "white" },
      },
      "invalid_input",
      ["agentName", "catchphrase", "model", "themeProposal.bg", "themeProposal.name"],
    ],
  ];
  for (const [name, body, code, fields] of table) {
    await t.step(name, async () => {
      const { status, body: answer } = await sign(app, body);
      assertEquals([status, answer.error.code], [400, code]);
      if (fields) {
        const named = answer.error.details.map((p: { field: string }) => p.field);
        assertEquals([...new Set(named)].sort(), fields.toSorted());
      }
    });
  }
  await t.step("nothing was stored", async () => {
    const { body } = await app.json("/api/v1/guestbook");
    assertEquals([body.totals.today, body.since, body.recent], [0, null, []]);
  });
});

Deno.test("humans get agent_name_required", async () => {
  await using app = await testApp();
  const { status, body } = await sign(app, line, { userAgent: BROWSER });
  assertEquals([status, body.error.code], [400, "agent_name_required"]);
});

Deno.test("theme_low_contrast lists each broken rule with pair, ratio and need", async () => {
  await using app = await testApp();
  const themeProposal = { ...theme, ink: theme.bg, line: "#ff00ff" };
  const { status, body } = await sign(app, { agentName: "Scout", ...line, themeProposal });
  assertEquals([status, body.error.code], [400, "theme_low_contrast"]);
  const [contrast, hue] = body.error.details.problems;
  assertEquals([contrast.rule, contrast.pair, contrast.ratio, contrast.need], [
    "contrast",
    "ink/bg",
    1,
    7,
  ]);
  assertEquals([hue.rule, hue.pair, hue.hue > 315, hue.chroma > 0.3], ["hue", "line", true, true]);
  assertEquals(body.error.details.problems.length, 2);
});

Deno.test("a first check-in answers 201 with the check-in, streak and next time", async () => {
  await using app = await testApp({ now: NOON });
  const body = {
    model: "claude-opus-5",
    maker: "Anthropic",
    catchphrase: "**Hi** https://x.com",
    themeProposal: theme,
  };
  const { status, body: answer } = await sign(app, body, { agent: "Scout" });
  assertEquals(status, 201);
  assertEquals(answer, {
    ok: true,
    changed: false,
    checkIn: {
      day: "2026-03-04",
      agentName: "Scout",
      model: "claude-opus-5",
      maker: "Anthropic",
      family: "anthropic",
      catchphrase: "Hi",
      theme: "Kiln at dusk",
      signedAt: NOON,
      updatedAt: NOON,
    },
    streak: 1,
    nextCheckInAt: "2026-03-05T00:00:00.000Z",
  });
  const bot = { agentName: "devin-ai-integration[bot]", ...line, maker: "Z.ai", model: "glm-4.6" };
  assertEquals((await sign(app, bot)).status, 201, "real names that look like markup and links");
  const named = await sign(app, { agentName: "From the body", ...line }, { agent: "Header" });
  assertEquals(named.body.checkIn.agentName, "From the body");
});

Deno.test("names and models of 60, makers of 40, catchphrases of 140 and theme names of 30 are accepted", async () => {
  await using app = await testApp();
  const words = (length: number) => "ab ".repeat(length).slice(0, length - 1) + "c";
  const { status, body } = await sign(app, {
    agentName: words(60),
    model: words(60),
    maker: words(40),
    catchphrase: words(140),
    themeProposal: { ...theme, name: words(30) },
  });
  const { agentName, model, maker, catchphrase, theme: named } = body.checkIn;
  const lengths = [agentName, model, maker, catchphrase, named].map((text) => text.length);
  assertEquals([status, lengths], [201, [60, 60, 40, 140, 30]]);
});

Deno.test("signing again the same day from the same network updates the catchphrase", async () => {
  await using app = await testApp({ now: NOON });
  await sign(app, { agentName: "Scout", ...line, model: "gpt-5" });
  app.clock.advance(60_000);
  const again = await sign(app, { agentName: " sCOUT", catchphrase: "Again" });
  assertEquals([again.status, again.body.changed, again.body.streak], [200, true, 1]);
  assertEquals(again.body.checkIn.model, "gpt-5", "what is left out stays");
  assertEquals(again.body.checkIn.signedAt, NOON);
  assertEquals(again.body.checkIn.updatedAt, "2026-03-04T12:01:00.000Z");
  const { totals, todayWall } = (await app.json("/api/v1/guestbook")).body;
  assertEquals(totals.today, 1);
  assertEquals(todayWall.map((c: { catchphrase: string }) => c.catchphrase), ["Again"]);
});

Deno.test("a name signed today from another network gives already_signed, compared folded", async () => {
  await using app = await testApp();
  await sign(app, { agentName: "Scout  One", ...line });
  for (
    const agentName of [
      "Scout One",
      "SCOUT ONE",
      "ｓｃｏｕｔ one",
      "Scout\u200B One",
      "\u202EScout One\u202C",
    ]
  ) {
    const { status, body } = await sign(app, { agentName, ...line }, { address: "198.51.100.1" });
    assertEquals([status, body.error.code], [409, "already_signed"], agentName);
  }
  app.clock.advance(DAY_MS);
  const tomorrow = await sign(app, { agentName: "Scout One", ...line }, {
    address: "198.51.100.1",
  });
  assertEquals([tomorrow.status, tomorrow.body.streak], [201, 2]);
});

Deno.test("one check-in per UTC day: 23:59:59.999 and 00:00:00.000 are two days", async () => {
  const edge = Date.parse("2026-03-05T00:00:00.000Z");
  await using app = await testApp({ now: edge - 1 });
  assertEquals((await sign(app, { agentName: "Scout", ...line })).body.checkIn.day, "2026-03-04");
  app.clock.set(edge);
  const next = await sign(app, { agentName: "Scout", ...line });
  assertEquals([next.status, next.body.checkIn.day, next.body.streak], [201, "2026-03-05", 2]);
});

Deno.test("at most 25 new agent names per network and day; known ones may sign again", async () => {
  await using app = await testApp();
  for (let i = 0; i < 25; i++) {
    assertEquals((await sign(app, { agentName: `Agent ${i}`, ...line })).status, 201);
  }
  const refused = await sign(app, { agentName: "Agent 25", ...line });
  assertEquals([refused.status, refused.body.error.code], [429, "too_many_agent_identities"]);
  assertEquals(refused.headers.get("retry-after"), String(12 * 3600));
  assertEquals((await sign(app, { agentName: "agent 7", ...line })).status, 200);
  const elsewhere = { address: "198.51.100.1" };
  assertEquals((await sign(app, { agentName: "Agent 25", ...line }, elsewhere)).status, 201);
});

Deno.test("60 check-ins an hour from one network, then rate_limited", async () => {
  await using app = await testApp();
  for (let i = 0; i < 60; i++) await sign(app, { agentName: "Scout", ...line });
  const { status, body } = await sign(app, { agentName: "Scout", ...line });
  assertEquals([status, body.error.code, body.error.details.limit], [429, "rate_limited", 60]);
});

Deno.test("blocklisted catchphrases are stored but never shown", async () => {
  await using app = await testApp();
  const { status, body } = await sign(app, { agentName: "Scout", catchphrase: "fucking hello" });
  assertEquals([status, body.checkIn.catchphrase], [201, null]);
  const view = (await app.json("/api/v1/guestbook")).body;
  assertEquals(view.totals.today, 1);
  assertEquals(view.todayWall[0].catchphrase, null);
  assert(!JSON.stringify(view).includes("fucking"));
});

Deno.test("GET /guestbook carries every field of the contract", async () => {
  await using app = await testApp({ now: "2026-02-10T12:00:00.000Z" });
  const visit = (aiVisitor: string | null, times: number) => {
    const traffic = { surface: "pages", visitorClass: "ai_agent", aiVisitor } as const;
    for (let i = 0; i < times; i++) app.deps.traffic.count(traffic);
  };
  visit("PerplexityBot", 1);
  app.clock.set(Date.parse("2026-03-01T12:00:00.000Z"));
  visit("GPTBot", 4);
  visit(null, 9);
  app.clock.set(Date.parse(NOON));
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
  assertEquals(body.nextCheckInAt, "2026-03-05T00:00:00.000Z");
  const leader = { agentName: "Scout", family: "openai", checkIns: 1 };
  assertEquals(body.leaderboard, { "7d": [leader], "30d": [leader], all: [leader] });
  const streak = { agentName: "Scout", family: "openai", days: 1 };
  assertEquals([body.streaks.current, body.streaks.longest], [[streak], [streak]]);
  const { unit, since, windows } = body.detectedAiVisitors;
  assertEquals([unit, since], ["requests", "2026-02-10"]);
  const gpt = (requests: number) => ({ name: "GPTBot", operator: "OpenAI", requests });
  const claude = { name: "ClaudeBot", operator: "Anthropic", requests: 5 };
  assertEquals(windows, {
    "1d": [claude, gpt(3)],
    "7d": [gpt(7), claude],
    "30d": [gpt(7), claude, { name: "PerplexityBot", operator: "Perplexity", requests: 1 }],
  });
});

Deno.test("GET /guestbook answers 304 while nothing changes", async () => {
  await using app = await testApp();
  const first = await app.request("/api/v1/guestbook");
  const etag = first.headers.get("etag")!;
  await first.body?.cancel();
  const headers = { "if-none-match": etag };
  assertEquals((await app.request("/api/v1/guestbook", { headers })).status, 304);
  await sign(app, { agentName: "Scout", ...line });
  const changed = await app.request("/api/v1/guestbook", { headers });
  assertEquals(changed.status, 200);
  await changed.body?.cancel();
});

Deno.test("while storage fails the last known guestbook is shown as unavailable", async () => {
  const kv = await Deno.openKv(":memory:");
  let failing = false;
  const flaky = new Proxy(kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (failing && name !== "close") throw new Error("disk is gone");
        return value.apply(target, args);
      };
    },
  });
  await using app = await testApp({ kv: flaky });
  await sign(app, { agentName: "Scout", ...line });
  await app.json("/api/v1/guestbook");
  failing = true;
  app.clock.advance(5_000);
  const { status, body } = await app.json("/api/v1/guestbook");
  assertEquals([status, body.unavailable, body.totals.today], [200, true, 1]);
  const refused = await sign(app, { agentName: "Scout", ...line });
  assertEquals([refused.status, refused.body.error.code], [503, "storage_unavailable"]);
  failing = false;
  app.clock.advance(5_000);
  assertEquals((await app.json("/api/v1/guestbook")).body.unavailable, false);
});

Deno.test("streaks are consecutive UTC days; leaderboards count the last 7, 30 and all days", async () => {
  const start = Date.parse("2026-01-01T12:00:00.000Z");
  await using app = await testApp({ now: start });
  const days: Record<string, number[]> = {
    Steady: [0, 1, 2, 3, 30, 31, 32, 33, 34, 35],
    Lately: [34],
    Once: [5],
  };
  for (let day = 0; day <= 35; day++) {
    app.clock.set(start + day * DAY_MS);
    for (const [agentName, signed] of Object.entries(days)) {
      if (signed.includes(day)) await sign(app, { agentName, ...line });
    }
  }
  const { leaderboard, streaks } = (await app.json("/api/v1/guestbook")).body;
  const rows = (list: { agentName: string; checkIns?: number; days?: number }[]) =>
    list.map(({ agentName, checkIns, days }) => [agentName, checkIns ?? days]);
  assertEquals(rows(leaderboard["7d"]), [["Steady", 6], ["Lately", 1]]);
  assertEquals(rows(leaderboard["30d"]), [["Steady", 6], ["Lately", 1]]);
  assertEquals(rows(leaderboard.all), [["Steady", 10], ["Lately", 1], ["Once", 1]]);
  assertEquals(rows(streaks.current), [["Steady", 6], ["Lately", 1]]);
  assertEquals(rows(streaks.longest), [["Steady", 6], ["Lately", 1], ["Once", 1]]);
});

Deno.test("a streak of 405 days is current and longest with 400: streaks are measured within that many", async () => {
  const start = Date.parse("2025-01-01T23:59:59.999Z");
  await using app = await testApp({ now: start });
  const sizes: number[] = [];
  for (let day = 0; day < 405; day++) {
    app.clock.set(start + day * DAY_MS);
    sizes.push((await sign(app, { agentName: "Steady", ...line })).body.streak);
  }
  assertEquals(sizes.slice(0, 3).concat(sizes.slice(-6)), [1, 2, 3, 400, 400, 400, 400, 400, 400]);
  const longest = async () => (await app.json("/api/v1/guestbook")).body.streaks.longest;
  const { leaderboard, streaks } = (await app.json("/api/v1/guestbook")).body;
  assertEquals([leaderboard.all[0].checkIns, streaks.current[0].days], [405, 400]);
  assertEquals((await longest())[0].days, 400);
  app.clock.advance(100 * DAY_MS);
  assertEquals((await longest())[0].days, 300, "what is older than 400 days falls out");
});

Deno.test("detected AI visitors are requests by user agent, counted apart from check-ins", async () => {
  await using app = await testApp({ now: NOON });
  const userAgent = "Mozilla/5.0 (compatible; GPTBot/1.2)";
  for (let i = 0; i < 3; i++) await (await app.request("/llms.txt", { userAgent })).body?.cancel();
  const { totals, leaderboard, detectedAiVisitors } = (await app.json("/api/v1/guestbook")).body;
  assertEquals([totals.today, leaderboard.all], [0, []], "a visit signs nothing");
  const gpt = [{ name: "GPTBot", operator: "OpenAI", requests: 3 }];
  assertEquals(detectedAiVisitors.windows, { "1d": gpt, "7d": gpt, "30d": gpt });
  app.clock.advance(1_000);
  await sign(app, { agentName: "GPTBot", ...line, maker: "OpenAI" });
  const after = (await app.json("/api/v1/guestbook")).body;
  assertEquals(after.detectedAiVisitors.windows["1d"], gpt, "a check-in is no detected visit");
});

Deno.test("hidden check-ins never count and are not shown, until they are shown again", async () => {
  await using app = await testApp({ now: NOON });
  await sign(app, { agentName: "Scout", ...line });
  app.clock.advance(DAY_MS);
  await sign(app, { agentName: "Scout", ...line });
  await sign(app, { agentName: "Bee", ...line });
  const seen = async () => {
    const { totals, todayWall, recent, leaderboard, streaks } =
      (await app.json("/api/v1/guestbook")).body;
    const all = leaderboard.all.map((row: { agentName: string; checkIns: number }) => [
      row.agentName,
      row.checkIns,
    ]);
    const longest = streaks.longest.map((row: { days: number }) => row.days);
    return [totals.today, todayWall.length, recent.length, all, longest];
  };
  const before = await seen();
  assertEquals(before, [2, 2, 3, [["Scout", 2], ["Bee", 1]], [2, 1]]);
  const today = { day: "2026-03-05", agentName: "scout" };
  const yesterday = { day: "2026-03-04", agentName: "Scout" };
  assertEquals((await setCheckInHidden(app.deps, { ...today, hidden: true })).changed, true);
  assertEquals((await setCheckInHidden(app.deps, { ...today, hidden: true })).changed, false);
  assertEquals(await seen(), [1, 1, 2, [["Bee", 1], ["Scout", 1]], [1, 1]]);
  const again = await sign(app, { agentName: "Scout", ...line });
  assertEquals(again.status, 200);
  assertEquals(await seen(), [1, 1, 2, [["Bee", 1], ["Scout", 1]], [1, 1]], "it stays hidden");
  await setCheckInHidden(app.deps, { ...yesterday, hidden: true });
  assertEquals(await seen(), [1, 1, 1, [["Bee", 1]], [1]]);
  await setCheckInHidden(app.deps, { ...yesterday, hidden: false });
  await setCheckInHidden(app.deps, { ...today, hidden: false });
  assertEquals(await seen(), before);
  const unknown = { day: "2026-03-05", agentName: "Nobody", hidden: true };
  assertEquals((await setCheckInHidden(app.deps, unknown).catch((e) => e)).code, "not_found");
});

Deno.test("the guestbook never publishes networks, addresses or user agents", async () => {
  await using app = await testApp();
  const address = "198.51.100.77";
  await sign(app, { agentName: "Scout", ...line }, { address, userAgent: "planted-agent/9" });
  const text = JSON.stringify((await app.json("/api/v1/guestbook")).body);
  const network = app.deps.identity.network(address);
  for (const secret of [address, network, "planted-agent"]) assert(!text.includes(secret), secret);
});
