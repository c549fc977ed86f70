import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { candidateSlug } from "@/lib/catalog/poll_candidates.ts";
import { addDays, DAY_MS, MINUTE_MS, utcDay } from "@/lib/clock.ts";
import { pollKeys } from "@/lib/poll/keys.ts";
import type { StoredBallot, WriteIns } from "@/lib/poll/schema.ts";
import { foldName } from "@/lib/text/name_key.ts";
import { exchangeNews, type TestApp, testApp } from "../support/app.ts";
import { inFolder } from "../support/folder.ts";
import { kvWith } from "../support/kv_with.ts";
import { rounds } from "../support/runs.ts";
import { BROWSER } from "../support/user_agents.ts";

interface Vote {
  candidate: string;
  writeIn?: string;
  agent?: string;
  address?: string;
  userAgent?: string;
}

async function cast(app: TestApp, vote: Vote): Promise<{ status: number; code?: string }> {
  const { candidate, writeIn, agent, address, userAgent } = vote;
  const { status, body } = await app.json("/api/v1/poll/vote", {
    json: { candidate, writeIn },
    headers: agent === undefined ? {} : { "x-agent-name": agent },
    address,
    userAgent,
  });
  return { status, code: body.error?.code };
}

/** A plain recount: every ballot stored between two days, counted one by one. */
async function recount(app: TestApp, from: string, to: string) {
  const counts: Record<string, Record<string, number>> = {
    all: {},
    ai_agent: {},
    human: {},
    other: {},
  };
  const totals: Record<string, number> = { all: 0, ai_agent: 0, human: 0, other: 0 };
  const agents: Record<string, number> = {};
  const names = (await app.deps.store.get<WriteIns>(pollKeys.writeIns)).value?.names ?? [];
  for await (
    const { key, value } of app.deps.store.list<StoredBallot>({ prefix: ["poll_ballots"] })
  ) {
    const day = key[1] as string;
    if (day < from || day > to) continue;
    if (value.writeIn !== null) {
      const place = names.findIndex((name) => foldName(name) === foldName(value.writeIn!));
      assertEquals(value.candidateId, `write-in-${place + 1}`, "the name it counts for is its own");
    }
    if (value.agentName !== null) {
      const name = foldName(value.agentName);
      agents[name] = (agents[name] ?? 0) + 1;
    }
    for (const group of ["all", value.voterClass]) {
      counts[group]![value.candidateId] = (counts[group]![value.candidateId] ?? 0) + 1;
      totals[group]!++;
    }
  }
  return { counts, totals, agents };
}

async function assertAllCounts(app: TestApp): Promise<void> {
  const today = utcDay(app.clock.now());
  const { standings } = (await app.json("/api/v1/poll")).body;
  for (const [window, days] of [["today", 0], ["7d", 6], ["30d", 29], ["all", 10_000]] as const) {
    const expected = await recount(app, addDays(today, -days), today);
    assertEquals(standings[window].totals, expected.totals, window);
    const top = standings[window].topAgents as { agentName: string; votes: number }[];
    assertEquals(
      top.map(({ votes }) => votes),
      top.map(({ votes }) => votes).sort((a, b) => b - a),
    );
    if (Object.keys(expected.agents).length <= 25) {
      const shown = top.map(({ agentName, votes }) => [foldName(agentName), votes]);
      assertEquals(Object.fromEntries(shown), expected.agents, window);
    }
    for (const [group, rows] of Object.entries(standings[window].standings)) {
      const shown = (rows as { id: string; votes: number }[]).map((row) => [row.id, row.votes]);
      assertEquals(Object.fromEntries(shown), expected.counts[group], `${window} ${group}`);
    }
  }
}

Deno.test("60 new identities at once from one network: exactly 25 count (invariant 15)", async () => {
  await using app = await testApp();
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => cast(app, { candidate: "claude", agent: `Agent ${i}` })),
  );
  assertEquals(answers.filter((a) => a.status === 200).length, 25);
  assertEquals(answers.filter((a) => a.code === "too_many_agent_identities").length, 35);
  await assertAllCounts(app);
});

Deno.test("240 write-in names at once: exactly 200 are stored, the others get write_in_limit", async () => {
  await using app = await testApp();
  const answers = await Promise.all(
    Array.from({ length: 240 }, (_, i) =>
      cast(app, {
        candidate: "other",
        writeIn: `Model ${i}`,
        agent: "Scout",
        address: `198.51.100.${i}`,
      })),
  );
  assertEquals(answers.filter((a) => a.status === 200).length, 200);
  assertEquals(answers.filter((a) => a.code === "write_in_limit").length, 40);
  const { names } = (await app.deps.store.get<WriteIns>(pollKeys.writeIns)).value!;
  assertEquals(new Set(names).size, 200);
  const known = await cast(app, {
    candidate: "other",
    writeIn: names[7]!.toUpperCase(),
    address: "203.0.113.99",
  });
  assertEquals(known.status, 200, "a name that is kept still takes votes");
  await assertAllCounts(app);
});

Deno.test("25 concurrent ballots of one voter leave one, and the tallies agree (invariants 13, 14)", async () => {
  await using app = await testApp();
  const slugs = candidateSlug.options.filter((slug) => slug !== "other");
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, i) => cast(app, { candidate: slugs[i % slugs.length]! })),
  );
  assert(answers.every((a) => a.status === 200));
  assertEquals((await app.json("/api/v1/poll")).body.standings.today.totals.all, 1);
  await assertAllCounts(app);
});

Deno.test("the limit of 30 requests an hour survives 60 concurrent ones (invariant 34)", async () => {
  await using app = await testApp();
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => cast(app, { candidate: "claude" })),
  );
  assertEquals(answers.filter((a) => a.status === 200).length, 30);
  assertEquals(answers.filter((a) => a.code === "rate_limited").length, 30);
});

Deno.test("random concurrent histories: totals equal the stored ballots in every group and window", async () => {
  const vote = fc.record({
    candidate: fc.constantFrom("claude", "grok", "qwen", "other"),
    writeIn: fc.constantFrom("Olmo", "OLMO", "Apertus", "Rnj-1"),
    agent: fc.option(fc.constantFrom("Scout", "scout", "Bee", "Ant", "Wasp"), { nil: undefined }),
    address: fc.integer({ min: 1, max: 5 }).map((n) => `198.51.100.${n}`),
    userAgent: fc.constantFrom("curl/8.5.0", BROWSER, "GPTBot/1.2"),
  });
  const history = fc.array(
    fc.record({
      skip: fc.integer({ min: 0, max: 9 }),
      votes: fc.array(vote, { maxLength: 25, size: "max" }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(history, async (days) => {
      await using app = await testApp();
      for (const { skip, votes } of days) {
        app.clock.advance(skip * DAY_MS);
        await Promise.all(votes.map((some) => cast(app, some)));
        await assertAllCounts(app);
      }
    }),
    { numRuns: rounds(10, 25) },
  );
});

Deno.test("two processes on one store show each other's ballots with exact counts", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/poll.sqlite3`;
    await using one = await testApp({ kv: await Deno.openKv(path) });
    await using two = await testApp({ kv: await Deno.openKv(path) });
    await one.json("/api/v1/poll");
    await two.json("/api/v1/poll");
    exchangeNews(one, two);
    await Promise.all(Array.from({ length: 40 }, (_, i) =>
      cast(i % 2 === 0 ? one : two, {
        candidate: "other",
        writeIn: `Model ${i % 23}`,
        agent: `Agent ${i % 7}`,
        address: `198.51.100.${i}`,
      })));
    one.clock.advance(1_000);
    two.clock.advance(1_000);
    assertEquals((await one.json("/api/v1/poll")).body.standings.today.totals.all, 40);
    assertEquals((await two.json("/api/v1/poll")).body.standings.today.totals.all, 40);
    await assertAllCounts(one);
    await assertAllCounts(two);
  });
});

Deno.test("the poll is read after each ballot, in any process, and otherwise once a minute", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/poll.sqlite3`;
    await using one = await testApp({ kv: await Deno.openKv(path) });
    const kv = await Deno.openKv(path);
    let reads = 0;
    await using two = await testApp({
      kv: kvWith(kv, {
        list(selector, options) {
          if (JSON.stringify(selector).includes(pollKeys.allTallies[0])) reads++;
          return kv.list(selector, options);
        },
      }),
    });
    exchangeNews(one, two);
    const votes = async () => {
      const { body } = await two.json("/api/v1/poll", { userAgent: BROWSER });
      return body.standings.today.totals.all;
    };
    const readsFor = async (expected: number) => {
      const before = reads;
      assertEquals(await votes(), expected);
      return reads - before;
    };
    assert(await readsFor(0) > 0);
    assertEquals(await readsFor(0), 0);
    await cast(one, { candidate: "claude" });
    assert(await readsFor(1) > 0);
    two.clock.advance(MINUTE_MS - 1);
    assertEquals(await readsFor(1), 0);
    two.clock.advance(1);
    assert(await readsFor(1) > 0);
  });
});

Deno.test("a write-in just added by another process shows its name in the voter's ballot and in standings", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/poll.sqlite3`;
    await using one = await testApp({ kv: await Deno.openKv(path) });
    const kv = await Deno.openKv(path);
    let beforeTallies: () => Promise<unknown> = () => Promise.resolve();
    const held = kvWith(kv, {
      async *list(selector, options) {
        if (JSON.stringify(selector).includes(pollKeys.allTallies[0])) await beforeTallies();
        yield* kv.list(selector, options);
      },
    });
    await using two = await testApp({ kv: held });
    exchangeNews(one, two);
    await two.json("/api/v1/poll");
    await cast(one, { candidate: "other", writeIn: "Olmo", agent: "Ada" });
    const headers = { "x-agent-name": "Ada" };
    const { myVote } = (await two.json("/api/v1/poll", { headers })).body;
    assertEquals([myVote.candidate, myVote.name, myVote.writeIn], ["other", "Olmo", "Olmo"]);
    beforeTallies = () => cast(one, { candidate: "other", writeIn: "Yi", agent: "Bob" });
    two.clock.advance(MINUTE_MS);
    const { standings } = (await two.json("/api/v1/poll")).body;
    const shown = standings.today.standings.all;
    assertEquals(shown.map(({ name }: { name: string }) => name), ["Olmo", "Yi"]);
  });
});

Deno.test("a day is read again before it counts as past, in case another process still saw it open", async () => {
  const end = Date.parse("2026-03-05T00:00:00.000Z");
  await using app = await testApp({ now: end - 1 });
  await cast(app, { candidate: "claude" });
  // A ballot of the last millisecond commits when this process already serves the next day.
  app.clock.set(end + 500);
  assertEquals((await app.json("/api/v1/poll")).body.standings["7d"].totals.all, 1);
  app.clock.set(end - 1);
  await cast(app, { candidate: "claude", address: "198.51.100.9" });
  app.clock.set(end + 60_000);
  assertEquals((await app.json("/api/v1/poll")).body.standings["7d"].totals.all, 2);
  app.clock.set(end + 3_600_000);
  assertEquals((await app.json("/api/v1/poll")).body.standings["7d"].totals.all, 2);
});
