import { assertEquals, assertMatch } from "@std/assert";
import { verify } from "@/lib/backup/verify.ts";
import { DAY_MS, isoTime, MINUTE_MS } from "@/lib/clock.ts";
import { forgetAgent } from "@/lib/poll/forget.ts";
import { setBallotsHeld } from "@/lib/poll/held.ts";
import type { Standing } from "@/lib/poll/schema.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { operator } from "../support/operator.ts";
import { vote } from "./voting.ts";

async function shown(app: TestApp, window = "today") {
  const { body } = await app.json(`/api/v1/poll?window=${window}&group=all`);
  const { totals, standings, topAgents } = body.standings[window];
  return {
    total: totals.all,
    standings: standings.all.map(({ name, votes }: Standing) => [name, votes]),
    agents: topAgents.map(({ agentName }: { agentName: string }) => agentName),
    reasons: body.recentReasons.map(({ reason }: { reason: string }) => reason),
  };
}

async function assertCounts(app: TestApp): Promise<void> {
  assertEquals(await verify(app.deps.store), []);
}

for (const days of [0, 3]) {
  Deno.test(`ballots held ${days} days later leave every count, agent and reason, and come back on release`, async () => {
    await using app = await testApp();
    await vote(app, { candidate: "claude", reason: "Early" }, { agent: "Ada" });
    app.clock.advance(MINUTE_MS);
    const from = isoTime(app.clock.now());
    // More than one transaction moves.
    for (let i = 1; i <= 9; i++) {
      const ballot = { candidate: "other", writeIn: "Ring", reason: `Ring ${i}` };
      await vote(app, ballot, { agent: `Ring ${i}`, address: `198.51.100.${i}` });
    }
    app.clock.advance(MINUTE_MS);
    const until = isoTime(app.clock.now());
    await vote(app, { candidate: "grok", reason: "Late" }, { agent: "Bob" });
    app.clock.advance(days * DAY_MS);
    const before = await shown(app, "7d");
    assertEquals(before.standings, [["Ring", 9], ["Claude", 1], ["Grok", 1]]);

    const span = ["--from", from, "--until", until];
    const held = await operator(app, "ballots", "hold", ...span, "--reason", "spam");
    assertEquals(held, { status: 0, stdout: "9 ballots held\n", stderr: "" });
    assertEquals(await shown(app, "7d"), {
      total: 2,
      standings: [["Claude", 1], ["Grok", 1]],
      agents: ["Ada", "Bob"],
      reasons: ["Late", "Early"],
    });
    await assertCounts(app);
    assertEquals(
      (await operator(app, "ballots", "hold", ...span)).stdout.trim(),
      "There are no counted ballots from that time; nothing changed",
    );
    assertEquals(
      (await operator(app, "ballots", "held")).stdout,
      "2026-03-04  9\n9 ballots held\n",
    );

    assertEquals((await operator(app, "ballots", "release")).stdout, "9 ballots released\n");
    assertEquals(await shown(app, "7d"), before);
    await assertCounts(app);
    assertEquals((await operator(app, "ballots", "release")).status, 0);
    const { body } = await app.json("/api/v1/operator-log");
    assertEquals(body.actions.map(({ kind, reason }: Record<string, string>) => [kind, reason]), [
      ["poll_ballots_released", null],
      ["poll_ballots_held", "spam"],
    ]);
  });
}

Deno.test("ballots can be held until the last moment of the year 9999", async () => {
  await using app = await testApp();
  await vote(app, { candidate: "claude" });
  const span = ["--from", isoTime(app.clock.now()), "--until", "9999-12-31T23:59:59Z"];
  assertEquals((await operator(app, "ballots", "hold", ...span)).stdout, "1 ballot held\n");
});

Deno.test("a ballot that replaces a held one counts once, and its write-in's place stays reserved", async () => {
  await using app = await testApp();
  await vote(app, { candidate: "other", writeIn: "Zed" }, { agent: "Four" });
  app.clock.advance(MINUTE_MS);
  const from = isoTime(app.clock.now());
  const ring = { candidate: "other", writeIn: "Ring" };
  await vote(app, ring, { agent: "One" });
  await vote(app, ring, { agent: "Two" });
  app.clock.advance(MINUTE_MS);
  await operator(app, "ballots", "hold", "--from", from, "--until", isoTime(app.clock.now()));
  await vote(app, ring, { agent: "Three" });
  await vote(app, { candidate: "other", writeIn: "Yi" }, { agent: "Three" });
  const again = await vote(app, { candidate: "claude" }, { agent: "One" });
  assertEquals(again.body.changed, true);
  assertEquals((await shown(app)).standings, [["Claude", 1], ["Zed", 1], ["Yi", 1]]);
  await assertCounts(app);
  await operator(app, "ballots", "release");
  await vote(app, { candidate: "claude" }, { agent: "Four" });
  assertEquals((await shown(app)).standings, [["Claude", 2], ["Ring", 1], ["Yi", 1]]);
  assertMatch((await operator(app, "writeins", "list")).stdout, /^2 of/m, "Zed's place is free");
  await assertCounts(app);
});

Deno.test("a ballot that arrives while its agent is being forgotten counts, and can be held", async () => {
  const plain = await Deno.openKv(":memory:");
  let arrive: (() => Promise<unknown>) | undefined;
  const kv = kvWith(plain, {
    async *list(selector, options) {
      yield* plain.list(selector, options);
      if (selector.prefix?.[0] !== "poll_ballots") return;
      const arrives = arrive;
      arrive = undefined;
      await arrives?.();
    },
  });
  await using app = await testApp({ kv });
  await vote(app, { candidate: "claude" }, { agent: "Ada", address: "198.51.100.1" });
  arrive = () => vote(app, { candidate: "grok" }, { agent: "Ada", address: "198.51.100.2" });
  assertEquals(await forgetAgent(app.deps, "Ada"), 1);
  await assertCounts(app);
  const from = app.clock.now();
  assertEquals(await setBallotsHeld(app.deps, { from, until: from + 1 }, true), 2);
  await assertCounts(app);
});
