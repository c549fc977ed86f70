import { assert, assertEquals, assertMatch } from "@std/assert";
import { candidates } from "@/lib/catalog/poll_candidates.ts";
import { DAY_MS } from "@/lib/clock.ts";
import { toCsv } from "@/lib/poll/csv.ts";
import { pollKeys } from "@/lib/poll/keys.ts";
import { hideReason } from "@/lib/poll/service.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { BROWSER } from "../support/user_agents.ts";
import { problems, vote } from "./voting.ts";

Deno.test("GET /poll has every field of the contract", async () => {
  await using app = await testApp();
  await vote(app, { candidate: "llama" });
  const { body } = await app.json("/api/v1/poll");
  assertEquals(
    Object.keys(body).sort(),
    "candidates generatedAt groups howToVote myVote nextVoteAt ok recentReasons rules since sinceNote standings title today"
      .split(" "),
  );
  assertEquals(body.today, "2026-03-04");
  assertEquals(body.since, "2026-03-04");
  assertMatch(body.sinceNote, /^Counting votes since 2026-03-04\.$/);
  assertEquals(body.nextVoteAt, "2026-03-05T00:00:00.000Z");
  assertEquals(Object.keys(body.groups), ["all", "ai_agent", "human", "other"]);
  assertEquals(Object.keys(body.standings), ["today", "7d", "30d", "all"]);
  const llama = {
    id: "llama",
    candidate: "llama",
    name: "Llama",
    maker: "Meta",
    openSource: true,
    writeIn: false,
    votes: 1,
    share: 1,
  };
  assertEquals(body.standings["7d"], {
    from: "2026-02-26",
    to: "2026-03-04",
    totals: { all: 1, ai_agent: 0, human: 0, other: 1 },
    standings: {
      all: [llama],
      ai_agent: [],
      human: [],
      other: [llama],
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

Deno.test("GET /poll filters by window and group and shortens lists to limit", async () => {
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

Deno.test("GET /poll rejects an X-Agent-Name of 61 characters, since myVote depends on it", async () => {
  await using app = await testApp();
  const headers = { "x-agent-name": "x".repeat(61) };
  const { status, body } = await app.json("/api/v1/poll", { headers });
  assertEquals([status, body.error.code], [400, "invalid_input"]);
  assertEquals(problems(body), ["X-Agent-Name"]);
});

Deno.test("windows are UTC days: today, the last 7, the last 30, all", async () => {
  const start = Date.parse("2026-01-01T12:00:00.000Z");
  await using app = await testApp({ now: start });
  for (const day of [0, 1, 2, 23, 24, 28, 29, 30]) {
    app.clock.set(start + day * DAY_MS);
    await vote(app, { candidate: "kimi" });
  }
  const totals = async () => {
    const { standings, since } = (await app.json("/api/v1/poll")).body;
    assertEquals(since, "2026-01-01");
    return Object.values(standings).map((w) => (w as { totals: { all: number } }).totals.all);
  };
  assertEquals(await totals(), [1, 4, 7, 8], "30 days on: days 1 to 30 are the last thirty");
  app.clock.set(start + 31 * DAY_MS);
  assertEquals(await totals(), [0, 3, 6, 8]);
  app.clock.set(start + 100 * DAY_MS);
  assertEquals(await totals(), [0, 0, 0, 8]);
});

Deno.test("a clock set back still counts each day's ballots once", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  const total = async (of: TestApp) =>
    (await of.json("/api/v1/poll")).body.standings.all.totals.all;
  for (const day of [0, 1, 2]) {
    app.clock.set(TEST_NOW + day * DAY_MS);
    await vote(app, { candidate: "llama" });
    assertEquals(await total(app), day + 1);
  }
  for (const day of [0, 1, 3]) {
    app.clock.set(TEST_NOW + day * DAY_MS);
    await vote(app, { candidate: "llama" }, { address: "198.51.100.9" });
    await using fresh = await testApp({
      now: TEST_NOW + day * DAY_MS,
      kv: kvWith(kv, { close() {} }),
    });
    assertEquals(await total(app), await total(fresh), `day ${day}`);
  }
});

Deno.test("a ballot cast while the clock is set back counts, even if nobody reads the poll then", async () => {
  await using app = await testApp();
  const total = async () => (await app.json("/api/v1/poll")).body.standings.all.totals.all;
  await vote(app, { candidate: "llama" });
  app.clock.advance(2 * DAY_MS);
  assertEquals(await total(), 1);
  app.clock.advance(-2 * DAY_MS);
  await vote(app, { candidate: "llama" }, { address: "198.51.100.9" });
  app.clock.advance(2 * DAY_MS);
  assertEquals(await total(), 2);
});

Deno.test("a ballot cast on a past day counts, even if it arrives while past days are counted again", async () => {
  const plain = await Deno.openKv(":memory:");
  let meanwhile: (() => Promise<void>) | undefined;
  const kv = kvWith(plain, {
    async *list(selector, options) {
      yield* plain.list(selector, options);
      const isTallies = "start" in selector && (selector.start as Deno.KvKey)[0] === "poll_tallies";
      const work = isTallies ? meanwhile : undefined;
      if (work !== undefined) meanwhile = undefined;
      await work?.();
    },
  });
  await using app = await testApp({ kv });
  const total = async () => (await app.json("/api/v1/poll")).body.standings.all.totals.all;
  const voteEarlier = (address: string) => {
    const landed = Promise.withResolvers<void>();
    app.deps.store.subscribe(() => landed.resolve());
    app.clock.advance(-2 * DAY_MS);
    const voted = vote(app, { candidate: "llama" }, { address });
    return { voted, landed: landed.promise.then(() => app.clock.advance(2 * DAY_MS)) };
  };
  await vote(app, { candidate: "llama" });
  app.clock.advance(2 * DAY_MS);
  assertEquals(await total(), 1);
  const second = voteEarlier("198.51.100.9");
  await second.landed;
  let third: ReturnType<typeof vote> | undefined;
  meanwhile = async () => {
    const { voted, landed } = voteEarlier("198.51.100.10");
    third = voted;
    await landed;
  };
  await total();
  await Promise.all([second.voted, third]);
  assertEquals(meanwhile, undefined);
  assertEquals(await total(), 3);
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

Deno.test("a write-in with a candidate's name is a vote for that candidate and takes no place", async () => {
  await using app = await testApp();
  const written = ["Claude", " CLAUDE ", "Command  R", "command-r", "ｇｌｍ"];
  for (const [i, writeIn] of written.entries()) {
    const { body } = await vote(app, { candidate: "other", writeIn }, { agent: `A${i}` });
    assertEquals([body.ballot.writeIn, body.ballot.candidate === "other"], [null, false], writeIn);
  }
  const { body } = await vote(app, { candidate: "other", writeIn: "OTHER" }, { agent: "O" });
  assertEquals([body.ballot.candidate, body.ballot.name, body.ballot.writeIn], [
    "other",
    "Other",
    null,
  ]);
  await vote(app, { candidate: "other", writeIn: "Claudette" }, { agent: "B" });
  const { standings } = (await app.json("/api/v1/poll")).body.standings.today;
  assertEquals(standings.all.map(({ id, votes }: { id: string; votes: number }) => [id, votes]), [
    ["claude", 2],
    ["command-r", 2],
    ["glm", 1],
    ["other", 1],
    ["write-in-1", 1],
  ]);
});

Deno.test("reasons: links and markup are stripped, and the rest is shown", async () => {
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
    "signedBy",
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

Deno.test("hideReason hides a reason for good, even if it is sent again", async () => {
  await using app = await testApp();
  await vote(app, { candidate: "claude", reason: "Spoiler" });
  const [{ id, day }] = (await app.json("/api/v1/poll")).body.recentReasons;
  await hideReason(app.deps, { day, id });
  const hidden = (await app.json("/api/v1/poll")).body;
  assertEquals(hidden.recentReasons, []);
  assertEquals(hidden.standings.today.totals.all, 1);
  await vote(app, { candidate: "grok", reason: "Spoiler" });
  assertEquals((await app.json("/api/v1/poll")).body.recentReasons, []);
  await vote(app, { candidate: "grok" });
  await vote(app, { candidate: "grok", reason: "Spoiler" });
  assertEquals((await app.json("/api/v1/poll")).body.recentReasons, [], "after a vote without it");
  await vote(app, { candidate: "grok", reason: "Another" });
  const [another] = (await app.json("/api/v1/poll")).body.recentReasons;
  assertEquals(another.reason, "Another");
  const listed = () => Array.fromAsync(app.deps.store.list({ prefix: pollKeys.reasons }));
  const [shown] = await listed();
  await hideReason(app.deps, { day, id: shown!.key.at(-1) as string });
  for (const reason of ["Spoiler", "Another"]) {
    await vote(app, { candidate: "grok", reason });
    assertEquals((await app.json("/api/v1/poll")).body.recentReasons, [], reason);
  }
  await vote(app, { candidate: "grok", reason: "A third" });
  assertEquals((await app.json("/api/v1/poll")).body.recentReasons.length, 1);
  await vote(app, { candidate: "kimi", reason: "SPOILER" }, { agent: "Somebody else" });
  assertEquals(
    (await app.json("/api/v1/poll")).body.recentReasons.length,
    1,
    "no matter who sends it",
  );
  await vote(app, { candidate: "grok", reason: "A fourth" });
  assertEquals((await listed()).length, 1, "the third is no longer listed");
  app.clock.advance(DAY_MS);
  await vote(app, { candidate: "grok", reason: "Spoiler" });
  assertEquals((await listed()).length, 1, "even on the next day");
  for (const agent of ["One", "Two", "Three"]) {
    await vote(app, { candidate: "kimi", reason: agent === "Three" ? "Mine" : "In unison" }, {
      agent,
    });
  }
  const [, second] = (await app.json("/api/v1/poll")).body.recentReasons;
  await hideReason(app.deps, second);
  const left = (await app.json("/api/v1/poll")).body.recentReasons;
  assertEquals(
    left.map((each: { reason: string }) => each.reason),
    ["Mine", "A fourth"],
    "of all who sent it",
  );
  for (const wrong of [{ day, id }, { day: "2026-03-03", id }, { day, id: "nothing" }]) {
    const error = await hideReason(app.deps, wrong).catch((e) => e);
    assertEquals(error.code, "not_found");
  }
});

Deno.test("topAgents counts ballots by agent name as first spelled, and omits profane names", async () => {
  await using app = await testApp();
  for (const [i, agent] of ["Scout", "scout", "SCOUT"].entries()) {
    await vote(app, { candidate: "claude" }, { agent, address: `198.51.100.${i}` });
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

Deno.test("a day's export is final once its last ballots must be stored", async () => {
  await using app = await testApp({ now: "2026-03-04T23:59:59.999Z" });
  const isFinal = async () =>
    (await app.json("/api/v1/poll/export?day=2026-03-04")).body.final as boolean;
  assertEquals(await isFinal(), false);
  app.clock.set(Date.parse("2026-03-05T00:01:59.999Z"));
  assertEquals(await isFinal(), false);
  app.clock.advance(1);
  assertEquals(await isFinal(), true);
});

Deno.test("the daily export lists each group's standings as JSON and CSV", async () => {
  await using app = await testApp();
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
  assertEquals(
    csv.headers.get("content-disposition"),
    'attachment; filename="best-ai-poll-2026-03-04.csv"',
  );
  assertEquals((await csv.text()).split("\r\n").slice(0, 3), [
    "day,group,id,candidate,name,maker,openSource,writeIn,votes,share",
    "2026-03-04,all,claude,claude,Claude,Anthropic,false,false,1,0.5",
    "2026-03-04,all,write-in-1,other,'-1 bot,,false,true,1,0.5",
  ]);
  const [, row] = toCsv([{ ...body.rows[0], name: 'Claude, "C"' }]).split("\r\n");
  assertEquals(row, '2026-03-04,all,claude,claude,"Claude, ""C""",Anthropic,false,false,1,0.5');
  assertEquals((await app.json("/api/v1/poll/export")).body.final, false);
  for (const query of ["day=2026-02-30", "day=yesterday", "day=2026-03-06", "format=xml"]) {
    const refused = await app.json(`/api/v1/poll/export?${query}`);
    assertEquals([refused.status, refused.body.error.code], [400, "invalid_input"], query);
    assertEquals(refused.body.error.details.length, 1, query);
  }
});

Deno.test("a first ballot dated far ahead by a fast clock doesn't stay the poll's first day", async () => {
  await using app = await testApp();
  const now = app.clock.now();
  app.clock.advance(365 * DAY_MS);
  await vote(app, { candidate: "claude" });
  app.clock.set(now);
  await vote(app, { candidate: "grok" });
  const { body } = await app.json("/api/v1/poll?window=all");
  assertEquals([body.since, body.standings.all.from], [body.today, body.today]);
});
