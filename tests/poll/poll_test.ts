import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { Caller } from "@/lib/http/caller.ts";
import { parseBallot } from "@/lib/poll/input.ts";
import { candidates } from "@/lib/catalog/poll_candidates.ts";
import { castBallot, hideReason } from "@/lib/poll/service.ts";
import { type TestApp, testApp, type TestRequest } from "../support/app.ts";

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const NOON = Date.parse("2026-03-04T12:00:00.000Z");

function vote(app: TestApp, ballot: unknown, options: TestRequest & { agent?: string } = {}) {
  const { agent, ...init } = options;
  const headers = { ...(agent === undefined ? {} : { "x-agent-name": agent }) };
  return app.json("/api/v1/poll/vote", { json: ballot, headers, ...init });
}

const problems = (body: { error: { details: { field: string }[] } }) =>
  body.error.details.map((problem) => problem.field);

Deno.test("POST /poll/vote refuses ballots with the contract's code and every problem", async (t) => {
  await using app = await testApp();
  const long = "x".repeat(141);
  const table: [name: string, ballot: unknown, code: string, fields: string[]][] = [
    ["unknown candidate", { candidate: "skynet" }, "invalid_candidate", ["candidate"]],
    ["no candidate", {}, "invalid_candidate", ["candidate"]],
    ["candidate of a wrong type", { candidate: 7 }, "invalid_candidate", ["candidate"]],
    ["candidate in capitals", { candidate: "Claude" }, "invalid_candidate", ["candidate"]],
    ["no write-in", { candidate: "other" }, "invalid_write_in", ["writeIn"]],
    ["empty write-in", { candidate: "other", writeIn: "  " }, "invalid_write_in", ["writeIn"]],
    ["write-in of 31", { candidate: "other", writeIn: "x".repeat(31) }, "invalid_write_in", [
      "writeIn",
    ]],
    ["write-in with a slash", { candidate: "other", writeIn: "a/b" }, "invalid_write_in", [
      "writeIn",
    ]],
    ["write-in of dots", { candidate: "other", writeIn: "..." }, "invalid_write_in", ["writeIn"]],
    ["write-in with markup", { candidate: "other", writeIn: "<b>x</b>" }, "invalid_write_in", [
      "writeIn",
    ]],
    [
      "write-in with a tower of marks",
      { candidate: "other", writeIn: "a" + "\u0301".repeat(9) },
      "invalid_write_in",
      ["writeIn"],
    ],
    ["write-in with profanity", { candidate: "other", writeIn: "Fuckbot" }, "invalid_write_in", [
      "writeIn",
    ]],
    ["reason of 141", { candidate: "claude", reason: long }, "invalid_input", ["reason"]],
    ["reason with a line break", { candidate: "claude", reason: "a\nb" }, "invalid_input", [
      "reason",
    ]],
    ["reason of a wrong type", { candidate: "claude", reason: ["a"] }, "invalid_input", ["reason"]],
    ["everything wrong", { candidate: "skynet", reason: long }, "invalid_candidate", [
      "candidate",
      "reason",
    ]],
    ["write-in and reason wrong", { candidate: "other", reason: long }, "invalid_write_in", [
      "reason",
      "writeIn",
    ]],
  ];
  for (const [name, ballot, code, fields] of table) {
    await t.step(name, async () => {
      const { status, body } = await vote(app, ballot);
      assertEquals(status, 400);
      assertEquals(body.error.code, code);
      assertEquals(problems(body).sort(), fields);
    });
  }
  await t.step("X-Agent-Name of 61 characters, with the other problems", async () => {
    const { status, body } = await vote(app, { candidate: "claude", reason: long }, {
      agent: "x".repeat(61),
    });
    assertEquals(status, 400);
    assertEquals(problems(body), ["X-Agent-Name", "reason"]);
  });
  await t.step("not a JSON object", async () => {
    assertEquals((await vote(app, [1])).body.error.code, "invalid_json");
  });
  await t.step("nothing was counted", async () => {
    const { body } = await app.json("/api/v1/poll");
    assertEquals(body.standings.all.totals, { all: 0, ai_agent: 0, human: 0, other: 0 });
    assertEquals(body.since, null);
    assertEquals(body.standings.all.from, null);
  });
});

Deno.test("a ballot is stored and answered; myVote is null before and the ballot after", async () => {
  await using app = await testApp({ now: NOON });
  assertEquals((await app.json("/api/v1/poll")).body.myVote, null);
  const { status, body } = await vote(app, { candidate: "claude", reason: "Good manners" });
  assertEquals(status, 200);
  const ballot = {
    day: "2026-03-04",
    candidate: "claude",
    name: "Claude",
    writeIn: null,
    reason: "Good manners",
    reasonPublic: true,
    voterClass: "other",
    agentName: null,
    via: "api",
    votedAt: "2026-03-04T12:00:00.000Z",
  };
  assertEquals(body, {
    ok: true,
    changed: false,
    ballot,
    nextVoteAt: "2026-03-05T00:00:00.000Z",
  });
  const poll = await app.json("/api/v1/poll");
  assertEquals(poll.body.myVote, ballot);
  assertEquals(poll.headers.get("cache-control"), "private, no-store");
  assertEquals((await app.json("/api/v1/poll", { userAgent: "other/1" })).body.myVote, null);
});

Deno.test("GET /poll carries every field of the contract", async () => {
  await using app = await testApp({ now: NOON });
  await vote(app, { candidate: "llama" });
  const { body } = await app.json("/api/v1/poll");
  assertEquals(
    Object.keys(body).sort(),
    "candidates generatedAt groups howToVote myVote nextVoteAt ok recentReasons rules since sinceNote standings title today"
      .split(" "),
  );
  assertEquals(body.today, "2026-03-04");
  assertEquals(body.since, "2026-03-04");
  assertEquals(body.nextVoteAt, "2026-03-05T00:00:00.000Z");
  assertEquals(Object.keys(body.groups), ["all", "ai_agent", "human", "other"]);
  assertEquals(Object.keys(body.standings), ["today", "7d", "30d", "all"]);
  assertEquals(body.standings["7d"], {
    from: "2026-02-26",
    to: "2026-03-04",
    totals: { all: 1, ai_agent: 0, human: 0, other: 1 },
    standings: {
      all: [{
        id: "llama",
        candidate: "llama",
        name: "Llama",
        maker: "Meta",
        openSource: true,
        writeIn: false,
        votes: 1,
        share: 1,
      }],
      ai_agent: [],
      human: [],
      other: [{
        id: "llama",
        candidate: "llama",
        name: "Llama",
        maker: "Meta",
        openSource: true,
        writeIn: false,
        votes: 1,
        share: 1,
      }],
    },
    topAgents: [],
  });
  assertEquals([body.standings.today.from, body.standings.today.to], ["2026-03-04", "2026-03-04"]);
  assertEquals(body.standings["30d"].from, "2026-02-03");
  assertEquals(body.standings.all.from, "2026-03-04");
  assertEquals(body.candidates, candidates.map((candidate) => ({ ...candidate })));
  assertEquals(body.candidates.length, 18);
  assertEquals(Object.keys(body.candidates[0]), ["slug", "name", "maker", "openWeights"]);
});

Deno.test("GET /poll narrows by window and group and cuts lists at limit", async () => {
  await using app = await testApp();
  for (const [i, candidate] of ["claude", "grok", "qwen"].entries()) {
    await vote(app, { candidate, reason: `Reason ${i}` }, { agent: `Agent ${i}` });
  }
  const { body } = await app.json("/api/v1/poll?window=7d&group=ai_agent&limit=2");
  assertEquals(Object.keys(body.standings), ["7d"]);
  assertEquals(body.standings["7d"].totals, { ai_agent: 3 });
  assertEquals(body.standings["7d"].standings.ai_agent.length, 2);
  assertEquals(body.standings["7d"].topAgents.length, 2);
  assertEquals(body.recentReasons.length, 2);
  for (const limit of [1, 250]) {
    assertEquals((await app.json(`/api/v1/poll?limit=${limit}`)).status, 200);
  }
  for (
    const query of [
      "window=week",
      "group=bots",
      "limit=0",
      "limit=251",
      "limit=1.5",
      "limit=1&limit=2",
    ]
  ) {
    const refused = await app.json(`/api/v1/poll?${query}`);
    assertEquals([refused.status, refused.body.error.code], [400, "invalid_input"], query);
  }
});

Deno.test("one vote per voter per UTC day: voting again replaces it, changed is true", async () => {
  await using app = await testApp();
  assertEquals((await vote(app, { candidate: "claude", reason: "First" })).body.changed, false);
  const again = await vote(app, { candidate: "grok", reason: "Second" });
  assertEquals([again.status, again.body.changed], [200, true]);
  assertEquals((await vote(app, { candidate: "grok", reason: "Second" })).body.changed, true);
  const { body } = await app.json("/api/v1/poll");
  assertEquals(body.standings.today.totals.all, 1);
  assertEquals(body.standings.today.standings.all.map((s: { id: string }) => s.id), ["grok"]);
  assertEquals(body.recentReasons.map((r: { reason: string }) => r.reason), ["Second"]);
});

Deno.test("ballots at 23:59:59.999 and 00:00:00.000 fall on different UTC days (invariant 16)", async () => {
  const edge = Date.parse("2026-03-05T00:00:00.000Z");
  await using app = await testApp({ now: edge - 1 });
  const last = await vote(app, { candidate: "claude" });
  assertEquals([last.body.ballot.day, last.body.nextVoteAt], [
    "2026-03-04",
    "2026-03-05T00:00:00.000Z",
  ]);
  app.clock.set(edge);
  assertEquals((await app.json("/api/v1/poll")).body.myVote, null);
  const first = await vote(app, { candidate: "claude" });
  assertEquals([first.body.changed, first.body.ballot.day], [false, "2026-03-05"]);
  assertEquals(first.body.nextVoteAt, "2026-03-06T00:00:00.000Z");
  const { standings } = (await app.json("/api/v1/poll")).body;
  assertEquals(standings.today.totals.all, 1);
  assertEquals(standings["7d"].totals.all, 2);
});

Deno.test("windows are UTC days: today, the last 7, the last 30, all", async () => {
  const start = Date.parse("2026-01-01T12:00:00.000Z");
  await using app = await testApp({ now: start });
  for (const day of [0, 1, 2, 23, 24, 28, 29, 30]) {
    app.clock.set(start + day * DAY_MS);
    await vote(app, { candidate: "kimi" });
  }
  const totals = async () => {
    const { standings } = (await app.json("/api/v1/poll")).body;
    return Object.values(standings).map((w) => (w as { totals: { all: number } }).totals.all);
  };
  assertEquals(await totals(), [1, 4, 7, 8], "30 days on: days 1 to 30 are the last thirty");
  app.clock.set(start + 31 * DAY_MS);
  assertEquals(await totals(), [0, 3, 6, 8]);
  app.clock.set(start + 100 * DAY_MS);
  assertEquals(await totals(), [0, 0, 0, 8]);
});

Deno.test("voter classes: AI agents, humans and other automated clients", async () => {
  await using app = await testApp();
  const classOf = async (init: TestRequest & { agent?: string }) =>
    (await vote(app, { candidate: "claude" }, init)).body.ballot.voterClass;
  assertEquals(await classOf({ userAgent: BROWSER }), "human");
  assertEquals(await classOf({ userAgent: "python-requests/2.32" }), "other");
  assertEquals(await classOf({ userAgent: "Googlebot/2.1" }), "other");
  assertEquals(await classOf({ userAgent: "Mozilla/5.0 (compatible; GPTBot/1.2)" }), "ai_agent");
  assertEquals(await classOf({ userAgent: BROWSER, agent: "Browsing Agent" }), "ai_agent");
  const { totals } = (await app.json("/api/v1/poll")).body.standings.today;
  assertEquals(totals, { all: 5, ai_agent: 2, human: 1, other: 2 });
});

Deno.test("a voter whose class changes moves the vote to the other group", async () => {
  await using app = await testApp();
  await vote(app, { candidate: "claude" });
  await vote(app, { candidate: "claude" }, { headers: { "x-agent-name": "" } });
  const { totals } = (await app.json("/api/v1/poll")).body.standings.today;
  assertEquals(totals, { all: 1, ai_agent: 1, human: 0, other: 0 });
});

Deno.test("everyone but named agents gets one ballot per network plus browser", async () => {
  await using app = await testApp();
  const changed = async (init: TestRequest & { agent?: string }) =>
    (await vote(app, { candidate: "claude" }, init)).body.changed;
  assertEquals(await changed({ userAgent: BROWSER }), false);
  assertEquals(await changed({ userAgent: BROWSER }), true);
  assertEquals(await changed({ userAgent: BROWSER + " x" }), false);
  assertEquals(await changed({ userAgent: BROWSER, address: "198.51.100.1" }), false);
  // A named agent is itself, whatever user agent carries it, and its name compares folded.
  assertEquals(await changed({ agent: "Scout", userAgent: "a/1" }), false);
  assertEquals(await changed({ agent: "  sCOUT ", userAgent: "b/1" }), true);
  assertEquals(await changed({ agent: "Scout", address: "198.51.100.1" }), false);
});

Deno.test("at most 25 agent identities per network and day; known ones may vote again", async () => {
  await using app = await testApp();
  for (let i = 0; i < 25; i++) {
    assertEquals((await vote(app, { candidate: "claude" }, { agent: `Agent ${i}` })).status, 200);
  }
  const refused = await vote(app, { candidate: "claude" }, { agent: "Agent 25" });
  assertEquals([refused.status, refused.body.error.code], [429, "too_many_agent_identities"]);
  assertEquals(refused.headers.get("retry-after"), String(12 * 3600));
  assertEquals((await vote(app, { candidate: "grok" }, { agent: "agent 3" })).body.changed, true);
  const elsewhere = { agent: "Agent 25", address: "198.51.100.1" };
  assertEquals((await vote(app, { candidate: "claude" }, elsewhere)).status, 200);
  app.clock.advance(DAY_MS);
  assertEquals((await vote(app, { candidate: "claude" }, { agent: "Agent 25" })).status, 200);
});

Deno.test("voters without a name are capped by the 30 requests an hour alone, whatever they call themselves", async (t) => {
  const table: [string, (i: number) => TestRequest][] = [
    ["browsers", (i) => ({ userAgent: `${BROWSER} ${i}` })],
    ["programs", (i) => ({ userAgent: `curl/8.${i}` })],
    ["known AI user agents", (i) => ({ userAgent: `GPTBot/1.${i}` })],
    ["empty names", (i) => ({ userAgent: `x/${i}`, headers: { "x-agent-name": "" } })],
  ];
  for (const [name, visitor] of table) {
    await t.step(name, async () => {
      await using app = await testApp();
      const answers = [];
      for (let hour = 0; hour < 2; hour++, app.clock.advance(3_600_000)) {
        for (let i = 0; i < 33; i++) {
          answers.push(await vote(app, { candidate: "claude" }, visitor(100 * hour + i)));
        }
      }
      const codes = answers.map(({ status, body }) => body.error?.code ?? status);
      const anHour = [...Array(30).fill(200), ...Array(3).fill("rate_limited")];
      assertEquals(codes, [...anHour, ...anHour]);
      assertEquals((await app.json("/api/v1/poll")).body.standings.today.totals.all, 60);
    });
  }
});

Deno.test("30 poll vote requests per network and rolling hour; invalid ones do not count", async () => {
  await using app = await testApp();
  for (let i = 0; i < 40; i++) await vote(app, { candidate: "nobody" });
  for (let i = 0; i < 30; i++) {
    assertEquals((await vote(app, { candidate: "claude" })).status, 200);
    app.clock.advance(1_000);
  }
  const over = await vote(app, { candidate: "claude" }, { userAgent: "another/1" });
  assertEquals([over.status, over.body.error.code], [429, "rate_limited"]);
  assertEquals(over.body.error.details, {
    limit: 30,
    windowSeconds: 3600,
    retryAfterSeconds: 3570,
  });
  app.clock.advance(3_570_000);
  assertEquals((await vote(app, { candidate: "claude" })).status, 200);
});

Deno.test("write-ins are grouped case-insensitively under their first spelling", async () => {
  await using app = await testApp();
  const spellings = ["Olmo 3", "OLMO 3", "olmo   3", "Ｏｌｍｏ ３"];
  for (const [i, writeIn] of spellings.entries()) {
    const { status, body } = await vote(app, { candidate: "other", writeIn }, { agent: `A${i}` });
    assertEquals([status, body.ballot.name], [200, "Olmo 3"]);
  }
  await vote(app, { candidate: "other", writeIn: "Apertus-8.1" }, { agent: "B" });
  await vote(app, { candidate: "claude", writeIn: "ignored/besides" }, { agent: "C" });
  const { standings } = (await app.json("/api/v1/poll")).body.standings.today;
  assertEquals(
    standings.all.map((s: Record<string, unknown>) => [s.id, s.name, s.writeIn, s.votes, s.share]),
    [
      ["write-in-1", "Olmo 3", true, 4, 0.6667],
      ["claude", "Claude", false, 1, 0.1667],
      ["write-in-2", "Apertus-8.1", true, 1, 0.1667],
    ],
  );
  assertEquals(standings.all[0].candidate, "other");
  assertEquals(standings.all[0].maker, null);
});

Deno.test("reasons: links and markup are stripped, what is left is shown", async () => {
  await using app = await testApp();
  const reasons: [string, string | null][] = [
    ["**Best** at [code](https://evil.example)", "Best at code"],
    ["<script>alert(1)</script>Honest", "alert(1)Honest"],
    ["see https://evil.example/x now", "see now"],
    ["https://evil.example", null],
    ["  ", null],
    ["\u202Eplain\u200B text", "plain text"],
  ];
  for (const [i, [reason, shown]] of reasons.entries()) {
    const { body } = await vote(app, { candidate: "claude", reason }, { agent: `A${i}` });
    assertEquals(body.ballot.reason, shown, reason);
    assertEquals(body.ballot.reasonPublic, shown !== null);
  }
  const { recentReasons } = (await app.json("/api/v1/poll")).body;
  assertEquals(
    recentReasons.map((r: { reason: string }) => r.reason),
    ["plain text", "see now", "alert(1)Honest", "Best at code"],
  );
  assertEquals(Object.keys(recentReasons[0]).sort(), [
    "agentName",
    "candidate",
    "day",
    "id",
    "name",
    "reason",
    "via",
    "votedAt",
    "voterClass",
    "writeIn",
  ]);
});

Deno.test("reasons matching the blocklist are kept private; the vote counts", async () => {
  await using app = await testApp();
  const { body } = await vote(app, { candidate: "claude", reason: "fucking great" });
  assertEquals([body.ballot.reason, body.ballot.reasonPublic], ["fucking great", false]);
  const poll = (await app.json("/api/v1/poll", { userAgent: "someone else" })).body;
  assertEquals(poll.recentReasons, []);
  assertEquals(poll.standings.today.totals.all, 1);
  assert(!JSON.stringify(poll).includes("fucking"));
});

Deno.test("hideReason takes a reason back for good, also when it is sent again", async () => {
  await using app = await testApp();
  await vote(app, { candidate: "claude", reason: "Spoiler" });
  const [{ id, day }] = (await app.json("/api/v1/poll")).body.recentReasons;
  await hideReason(app.deps, { day, id });
  const hidden = (await app.json("/api/v1/poll")).body;
  assertEquals(hidden.recentReasons, []);
  assertEquals(hidden.standings.today.totals.all, 1);
  await vote(app, { candidate: "grok", reason: "Spoiler" });
  assertEquals((await app.json("/api/v1/poll")).body.recentReasons, []);
  await vote(app, { candidate: "grok", reason: "Another" });
  assertEquals((await app.json("/api/v1/poll")).body.recentReasons.length, 1);
  for (const wrong of [{ day, id }, { day: "2026-03-03", id }, { day, id: "nothing" }]) {
    const error = await hideReason(app.deps, wrong).catch((e) => e);
    assertEquals(error.code, "not_found");
  }
});

Deno.test("topAgents counts ballots by agent name and leaves out names that are not clean", async () => {
  await using app = await testApp();
  for (let i = 0; i < 3; i++) {
    await vote(app, { candidate: "claude" }, { agent: "Scout", address: `198.51.100.${i}` });
  }
  await vote(app, { candidate: "claude" }, { agent: "Other One" });
  const foul = await vote(app, { candidate: "grok", reason: "Fine" }, { agent: "Shithead" });
  assertEquals(foul.body.ballot.voterClass, "ai_agent");
  await vote(app, { candidate: "claude" }, { agent: "Other One" });
  const poll = (await app.json("/api/v1/poll")).body;
  assertEquals(poll.standings.all.topAgents, [
    { agentName: "Scout", votes: 3 },
    { agentName: "Other One", votes: 1 },
  ]);
  assertEquals(poll.recentReasons[0].agentName, null);
  assert(!JSON.stringify(poll).includes("Shithead"));
});

Deno.test("the daily export lists each group's standings as JSON and CSV", async () => {
  await using app = await testApp({ now: NOON });
  await vote(app, { candidate: "claude" }, { userAgent: BROWSER });
  await vote(app, { candidate: "other", writeIn: "-1 bot" }, { agent: "A" });
  app.clock.advance(DAY_MS);
  await vote(app, { candidate: "grok" });
  const { status, body } = await app.json("/api/v1/poll/export?day=2026-03-04");
  assertEquals([status, body.day, body.final], [200, "2026-03-04", true]);
  assertEquals(
    body.rows.map((r: Record<string, unknown>) => [r.group, r.id, r.votes, r.share]),
    [
      ["all", "claude", 1, 0.5],
      ["all", "write-in-1", 1, 0.5],
      ["ai_agent", "write-in-1", 1, 1],
      ["human", "claude", 1, 1],
    ],
  );
  const csv = await app.request("/api/v1/poll/export?day=2026-03-04&format=csv");
  assertEquals(csv.headers.get("content-type"), "text/csv; charset=utf-8");
  assertEquals((await csv.text()).split("\r\n").slice(0, 3), [
    "day,group,id,candidate,name,maker,openSource,writeIn,votes,share",
    "2026-03-04,all,claude,claude,Claude,Anthropic,false,false,1,0.5",
    "2026-03-04,all,write-in-1,other,'-1 bot,,false,true,1,0.5",
  ]);
  assertEquals((await app.json("/api/v1/poll/export")).body.final, false);
  for (const query of ["day=2026-02-30", "day=yesterday", "day=2026-03-06", "format=xml"]) {
    const refused = await app.json(`/api/v1/poll/export?${query}`);
    assertEquals([refused.status, refused.body.error.code], [400, "invalid_input"], query);
  }
});

Deno.test("a write-in of 30, a reason of 140 and an agent name of 60 characters are accepted", async () => {
  await using app = await testApp();
  const ballot = { candidate: "other", writeIn: "w".repeat(30), reason: "r. ".repeat(46) + "rr" };
  const { status, body } = await vote(app, ballot, { agent: "n".repeat(10) + " m".repeat(25) });
  assertEquals([status, body.ballot.writeIn.length, body.ballot.reason.length], [200, 30, 140]);
  assertEquals(body.ballot.agentName.length, 60);
});

Deno.test("every MCP vote counts as an AI agent's, keyed by yourName", async () => {
  await using app = await testApp();
  const browser = new Caller({
    peer: "203.0.113.7",
    headers: new Headers({ "user-agent": BROWSER }),
    identity: app.deps.identity,
    trustedProxies: 0,
  });
  const ballot = parseBallot({ candidate: "claude" });
  for (const [name, changed] of [["Scout", false], ["SCOUT", true], ["Bee", false]] as const) {
    const answer = await castBallot(app.deps, { ballot, caller: browser.throughMcp(name) });
    assertEquals([answer.changed, answer.ballot.via, answer.ballot.voterClass], [
      changed,
      "mcp",
      "ai_agent",
    ]);
  }
  const { totals } = (await app.json("/api/v1/poll")).body.standings.today;
  assertEquals(totals, { all: 2, ai_agent: 2, human: 0, other: 0 });
});

Deno.test("a page of another site cannot make a visitor vote", async () => {
  await using app = await testApp();
  const { status, body } = await vote(app, { candidate: "claude" }, {
    headers: { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  });
  assertEquals([status, body.error.code], [403, "forbidden_origin"]);
});
