import { assertEquals, assertMatch } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { guestbookKeys } from "@/lib/guestbook/keys.ts";
import type { StoredCheckIn } from "@/lib/guestbook/schema.ts";
import { Caller } from "@/lib/http/caller.ts";
import { parseBallot } from "@/lib/poll/input.ts";
import { pollKeys } from "@/lib/poll/keys.ts";
import { castBallot } from "@/lib/poll/service.ts";
import { type TestApp, testApp, type TestRequest } from "../support/app.ts";
import { BROWSER } from "../support/user_agents.ts";
import { problems, vote } from "./voting.ts";

Deno.test("POST /poll/vote rejects ballots with the contract's code and every problem", async (t) => {
  await using app = await testApp();
  const long = "x".repeat(141);
  const table: [name: string, ballot: unknown, code: string, fields: string[]][] = [
    ["unknown candidate", { candidate: "skynet" }, "invalid_candidate", ["candidate"]],
    ["no candidate", {}, "invalid_candidate", ["candidate"]],
    ["candidate under another name", { ai: "claude" }, "invalid_candidate", ["ai", "candidate"]],
    ["candidate of the wrong type", { candidate: 7 }, "invalid_candidate", ["candidate"]],
    ["candidate in capitals", { candidate: "Claude" }, "invalid_candidate", ["candidate"]],
    ["no write-in", { candidate: "other" }, "invalid_write_in", ["writeIn"]],
    ["empty write-in", { candidate: "other", writeIn: "  " }, "invalid_write_in", ["writeIn"]],
    [
      "write-in with 31 characters",
      { candidate: "other", writeIn: "x".repeat(31) },
      "invalid_write_in",
      [
        "writeIn",
      ],
    ],
    ["write-in with a slash", { candidate: "other", writeIn: "a/b" }, "invalid_write_in", [
      "writeIn",
    ]],
    ["write-in with an underscore", { candidate: "other", writeIn: "a_b" }, "invalid_write_in", [
      "writeIn",
    ]],
    ["write-in with an apostrophe", { candidate: "other", writeIn: "a'b" }, "invalid_write_in", [
      "writeIn",
    ]],
    ["write-in of dots", { candidate: "other", writeIn: "..." }, "invalid_write_in", ["writeIn"]],
    ["write-in with markup", { candidate: "other", writeIn: "<b>x</b>" }, "invalid_write_in", [
      "writeIn",
    ]],
    [
      "write-in with four marks on a letter",
      { candidate: "other", writeIn: "x" + "\u0301".repeat(4) },
      "invalid_write_in",
      ["writeIn"],
    ],
    ["write-in with profanity", { candidate: "other", writeIn: "Fuckbot" }, "invalid_write_in", [
      "writeIn",
    ]],
    ["reason with 141 characters", { candidate: "claude", reason: long }, "invalid_input", [
      "reason",
    ]],
    ["reason with a line break", { candidate: "claude", reason: "a\nb" }, "invalid_input", [
      "reason",
    ]],
    ["reason of the wrong type", { candidate: "claude", reason: ["a"] }, "invalid_input", [
      "reason",
    ]],
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
  await t.step("X-Agent-Name with 61 characters, along with the other problems", async () => {
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
    assertMatch(body.sinceNote, /^Be the first to vote/);
    assertEquals(body.standings.all.from, null);
  });
});

Deno.test("POST /poll/vote stores and returns the ballot, which GET /poll then returns as myVote", async () => {
  await using app = await testApp();
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
    signedBy: null,
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

Deno.test("one vote per voter per UTC day: voting again replaces it and changed is true", async () => {
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

Deno.test("ballots, check-ins and votes share no pseudonym, nor do two days or two names", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  for (let day = 0; day < 2; day++) {
    await vote(app, { candidate: "claude" });
    await vote(app, { candidate: "claude" }, { agent: "Ada" });
    for (const agentName of ["Ada", "Bo"]) {
      await app.json("/api/v1/guestbook", { json: { agentName, catchphrase: "Hello" } });
    }
    app.clock.advance(DAY_MS);
  }
  const ballots = await Array.fromAsync(kv.list({ prefix: pollKeys.allBallots }));
  const checkIns = await Array.fromAsync(
    kv.list<StoredCheckIn>({ prefix: guestbookKeys.allCheckIns }),
  );
  const { identity } = app.deps;
  const network = identity.network("203.0.113.7");
  const pseudonyms = [
    ...ballots.map(({ key }) => key.at(-1)),
    ...checkIns.map(({ value }) => value.network),
    network,
    identity.voter(network, "curl/8.5.0"),
  ];
  assertEquals([ballots.length, checkIns.length], [4, 4]);
  assertEquals(new Set(pseudonyms).size, 10);
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

Deno.test("a voter whose class changes moves their vote to the other group", async () => {
  await using app = await testApp();
  const caller = browserOf(app);
  // As after a release that recognizes the same user agent as an AI agent.
  const known = new Proxy(caller, {
    get(target, name) {
      if (name === "visitorClass") return "ai_agent";
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const ballot = parseBallot({ candidate: "claude" });
  await castBallot(app.deps, { ballot, caller });
  await castBallot(app.deps, { ballot, caller: known });
  const { totals } = (await app.json("/api/v1/poll")).body.standings.today;
  assertEquals(totals, { all: 1, ai_agent: 1, human: 0, other: 0 });
});

Deno.test("a blank X-Agent-Name is ignored: a browser's ballot stays a human's", async () => {
  await using app = await testApp();
  const zeroWidthSpace = "\u00E2\u0080\u008B";
  for (const name of ["", " ", zeroWidthSpace]) {
    const init = { userAgent: BROWSER, headers: { "x-agent-name": name } };
    const { ballot } = (await vote(app, { candidate: "claude" }, init)).body;
    assertEquals([ballot.voterClass, ballot.agentName], ["human", null], JSON.stringify(name));
  }
});

Deno.test("everyone except named agents gets one ballot per network and browser", async () => {
  await using app = await testApp();
  const changed = async (init: TestRequest & { agent?: string }) =>
    (await vote(app, { candidate: "claude" }, init)).body.changed;
  assertEquals(await changed({ userAgent: BROWSER }), false);
  assertEquals(await changed({ userAgent: BROWSER }), true);
  assertEquals(await changed({ userAgent: BROWSER + " x" }), false);
  assertEquals(await changed({ userAgent: BROWSER, address: "198.51.100.1" }), false);
  // A named agent is the same with any user agent, and names are compared folded.
  assertEquals(await changed({ agent: "Scout", userAgent: "a/1" }), false);
  assertEquals(await changed({ agent: "  sCOUT ", userAgent: "b/1" }), true);
  assertEquals(await changed({ agent: "Scout", address: "198.51.100.1" }), false);
});

Deno.test("up to 25 agent identities per network per day; known ones can vote again", async () => {
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

Deno.test("voters without a name share their network's 30 requests an hour, whatever their user agent", async (t) => {
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

Deno.test("a write-in of 30, a reason of 140 and an agent name of 60 characters are accepted", async () => {
  await using app = await testApp();
  const ballot = { candidate: "other", writeIn: "w".repeat(30), reason: "r. ".repeat(46) + "rr" };
  const { status, body } = await vote(app, ballot, { agent: "n".repeat(10) + " m".repeat(25) });
  assertEquals([status, body.ballot.writeIn.length, body.ballot.reason.length], [200, 30, 140]);
  assertEquals(body.ballot.agentName.length, 60);
});

Deno.test("a write-in can be all digits, and a letter can have three combining marks", () => {
  for (const writeIn of ["42", "x" + "\u0301".repeat(3), "No. 5-b"]) {
    assertEquals(parseBallot({ candidate: "other", writeIn }).writeIn, writeIn);
  }
});

Deno.test("every MCP vote counts as an AI agent's, keyed by yourName", async () => {
  await using app = await testApp();
  const browser = browserOf(app);
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

function browserOf({ deps }: TestApp): Caller {
  return new Caller({
    peer: "203.0.113.7",
    headers: new Headers({ "user-agent": BROWSER }),
    identity: deps.identity,
    trustedProxies: 0,
  });
}
