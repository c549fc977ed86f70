import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY_MS, isoTime } from "@/lib/clock.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { BROWSER } from "../support/user_agents.ts";
import { line, sign, theme } from "./signing.ts";

Deno.test("POST /guestbook refuses invalid check-ins with the contract's code and every problem", async (t) => {
  await using app = await testApp();
  const agentName = "Scout";
  const { hot: _, ...noHot } = theme;
  const table: [name: string, body: unknown, code: string, fields?: string[]][] = [
    ["no name", line, "agent_name_required", ["agentName"]],
    ["no name and nothing else", {}, "agent_name_required", ["agentName", "catchphrase"]],
    ["an empty name", { ...line, agentName: " " }, "agent_name_required"],
    [
      "a name of invisible characters",
      { ...line, agentName: "\u200B\u2060" },
      "agent_name_required",
    ],
    ["a name of 61 characters", { ...line, agentName: "x".repeat(61) }, "invalid_input", [
      "agentName",
    ]],
    ["a name with a URL", { ...line, agentName: "see https://evil.example" }, "invalid_name"],
    ["a name with markup", { ...line, agentName: "<b>Scout</b>" }, "invalid_name"],
    ["a name with profanity", { ...line, agentName: "Fuckbot" }, "invalid_name"],
    ["no catchphrase", { agentName }, "invalid_input", ["catchphrase"]],
    ["a catchphrase under another name", { agentName, message: "Hi" }, "invalid_input", [
      "catchphrase",
      "message",
    ]],
    ["an empty catchphrase", { agentName, catchphrase: "  " }, "invalid_input", ["catchphrase"]],
    [
      "a catchphrase of 141 characters",
      { agentName, catchphrase: "x".repeat(141) },
      "invalid_input",
      [
        "catchphrase",
      ],
    ],
    [
      "a catchphrase of only links",
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
      "a model of 61 characters and a maker of 41",
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
    ["a missing color", { agentName, ...line, themeProposal: noHot }, "invalid_input", [
      "themeProposal.hot",
    ]],
    [
      "an extra color",
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
      "a theme name of 31 characters",
      { agentName, ...line, themeProposal: { ...theme, name: "x".repeat(31) } },
      "invalid_input",
      [
        "themeProposal.name",
      ],
    ],
    [
      "no catchphrase, a name with a link, and a pink color",
      { agentName: "evil.com", themeProposal: { ...theme, hot: "#FF00FF" } },
      "invalid_input",
      ["agentName", "catchphrase", "themeProposal"],
    ],
    [
      "a name with a link, and a pink color",
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
  await t.step("an extra color gets a list of the known colors", async () => {
    const { body } = await sign(app, {
      agentName,
      ...line,
      themeProposal: { ...theme, shadow: "#000000" },
    });
    assertEquals(body.error.details, [{
      field: "themeProposal.shadow",
      message: `Unknown field. Fields: ${Object.keys(theme).join(", ")}`,
    }]);
  });
  await t.step("an X-Agent-Name of 61 characters", async () => {
    for (const body of [line, { ...line, agentName }, { agentName }]) {
      const { status, body: answer } = await sign(app, body, { agent: "x".repeat(61) });
      assertEquals([status, answer.error.code], [400, "invalid_input"]);
      const named = answer.error.details.map((p: { field: string }) => p.field);
      assertEquals(named, ["X-Agent-Name", ...("catchphrase" in body ? [] : ["catchphrase"])]);
    }
  });
  await t.step("an X-Agent-Name with markup", async () => {
    const { body } = await sign(app, line, { agent: "<b>Scout</b>" });
    assertEquals(body.error.code, "invalid_name");
    assertEquals(body.error.details.map((p: { field: string }) => p.field), ["X-Agent-Name"]);
  });
  await t.step("nothing was stored", async () => {
    const { body } = await app.json("/api/v1/guestbook");
    assertEquals([body.totals.today, body.since, body.recent], [0, null, []]);
    assertMatch(body.sinceNote, /^Be the first agent to sign/);
  });
});

Deno.test("humans get agent_name_required", async () => {
  await using app = await testApp();
  const bodies = [line, { ...line, agentName: "Claude" }, { agentName: "<b>" }, {}];
  for (const body of bodies) {
    for (const agent of [undefined, " "]) {
      const { status, body: answer } = await sign(app, body, { userAgent: BROWSER, agent });
      assertEquals([status, answer.error.code], [400, "agent_name_required"]);
      assertStringIncludes(answer.error.message, "X-Agent-Name");
      assertEquals(answer.error.details[0].field, "X-Agent-Name");
    }
  }
  assertEquals((await app.json("/api/v1/guestbook")).body.totals.today, 0);
});

Deno.test("an agent in a browser signs with X-Agent-Name, and known AI browsers sign without it", async () => {
  await using app = await testApp();
  const inBrowser = await sign(app, line, { userAgent: BROWSER, agent: "Surfer" });
  assertEquals([inBrowser.status, inBrowser.body.checkIn.agentName], [201, "Surfer"]);
  const named = { ...line, agentName: "Reader" };
  const known = await sign(app, named, { userAgent: "Mozilla/5.0 (compatible; ChatGPT-User/1.0)" });
  assertEquals(known.status, 201);
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

Deno.test("a first check-in returns 201 with the check-in, streak and next time", async () => {
  await using app = await testApp();
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
      imitates: null,
      signedBy: null,
      catchphrase: "Hi",
      theme: "Kiln at dusk",
      signedAt: isoTime(TEST_NOW),
      updatedAt: isoTime(TEST_NOW),
    },
    streak: 1,
    nextCheckInAt: "2026-03-05T00:00:00.000Z",
  });
  const bot = { agentName: "devin-ai-integration[bot]", ...line, maker: "Z.ai", model: "glm-4.6" };
  assertEquals((await sign(app, bot)).status, 201, "real names that look like markup and links");
  const named = await sign(app, { agentName: "From the body", ...line }, { agent: "Header" });
  assertEquals(named.body.checkIn.agentName, "From the body");
});

Deno.test("each field is accepted at its maximum length", async () => {
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
  await using app = await testApp();
  await sign(app, { agentName: "Scout", ...line, model: "gpt-5", maker: "Mistral AI" });
  app.clock.advance(60_000);
  const again = await sign(app, { agentName: " sCOUT", catchphrase: "Again" });
  assertEquals([again.status, again.body.changed, again.body.streak], [200, true, 1]);
  const { model, maker, family } = again.body.checkIn;
  assertEquals(
    [model, maker, family],
    ["gpt-5", "Mistral AI", "mistral"],
    "what is left out stays",
  );
  assertEquals(again.body.checkIn.signedAt, isoTime(TEST_NOW));
  assertEquals(again.body.checkIn.updatedAt, "2026-03-04T12:01:00.000Z");
  const { totals, todayWall } = (await app.json("/api/v1/guestbook")).body;
  assertEquals(totals.today, 1);
  assertEquals(todayWall.map((c: { catchphrase: string }) => c.catchphrase), ["Again"]);
});

Deno.test("signing a name that another network signed today gets already_signed, compared folded", async () => {
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

Deno.test("23:59:59.999 and 00:00:00.000 UTC are different check-in days", async () => {
  const edge = Date.parse("2026-03-05T00:00:00.000Z");
  await using app = await testApp({ now: edge - 1 });
  assertEquals((await sign(app, { agentName: "Scout", ...line })).body.checkIn.day, "2026-03-04");
  app.clock.set(edge);
  const next = await sign(app, { agentName: "Scout", ...line });
  assertEquals([next.status, next.body.checkIn.day, next.body.streak], [201, "2026-03-05", 2]);
});

Deno.test("up to 25 new agent names per network per day, while known ones can sign again", async () => {
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

Deno.test("blocklisted catchphrases are stored but never shown", async () => {
  await using app = await testApp();
  const { status, body } = await sign(app, { agentName: "Scout", catchphrase: "fucking hello" });
  assertEquals([status, body.checkIn.catchphrase], [201, null]);
  const view = (await app.json("/api/v1/guestbook")).body;
  assertEquals(view.totals.today, 1);
  assertEquals(view.todayWall[0].catchphrase, null);
  assert(!JSON.stringify(view).includes("fucking"));
});
