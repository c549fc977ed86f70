import { assertEquals } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { LIMITS } from "@/lib/limits.ts";
import { pollKeys } from "@/lib/poll/keys.ts";
import type { Standing, WriteIns } from "@/lib/poll/schema.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { kvWith, overtakenKv } from "../support/kv_with.ts";
import { operator, operatorReading } from "../support/operator.ts";
import { vote } from "./voting.ts";

/** Votes for a write-in as an agent, which replaces the agent's earlier ballot of the day. */
const write = (app: TestApp, agent: string, writeIn: string, address?: string) =>
  vote(app, { candidate: "other", writeIn }, { agent, address });

async function names(app: TestApp): Promise<string[]> {
  const { value } = await app.deps.store.get<WriteIns>(pollKeys.writeIns);
  return value?.names ?? [];
}

async function standings(app: TestApp): Promise<[string, number][]> {
  const { body } = await app.json("/api/v1/poll?window=all&group=all");
  return body.standings.all.standings.all.map(({ name, votes }: Standing) => [name, votes]);
}

Deno.test("30 ballots of one voter, each with a new write-in, leave one name", async () => {
  await using app = await testApp();
  await write(app, "Ada", "Olmo", "198.51.100.1");
  for (let i = 1; i <= 30; i++) {
    assertEquals((await write(app, "Scout", `Name ${i}`)).body.ballot.name, `Name ${i}`);
  }
  assertEquals(await names(app), ["Olmo", "Name 30"]);
  assertEquals(await standings(app), [["Olmo", 1], ["Name 30", 1]]);
});

Deno.test("a write-in keeps its place while it has votes and frees it with its last one", async () => {
  await using app = await testApp();
  await write(app, "Ada", "Olmo");
  await write(app, "Bob", "OLMO");
  await write(app, "Ada", "Yi");
  assertEquals(await names(app), ["Olmo", "Yi"]);
  await vote(app, { candidate: "claude" }, { agent: "Bob" });
  assertEquals(await names(app), ["", "Yi"]);
  await write(app, "Cy", "Falcon");
  assertEquals(await names(app), ["Falcon", "Yi"]);
  assertEquals(await standings(app), [["Claude", 1], ["Falcon", 1], ["Yi", 1]]);
});

Deno.test("a write-in that had votes on an earlier day keeps its place", async () => {
  await using app = await testApp();
  await write(app, "Ada", "Olmo");
  app.clock.advance(DAY_MS);
  await write(app, "Ada", "olmo");
  await write(app, "Ada", "Yi");
  assertEquals(await names(app), ["Olmo", "Yi"]);
  assertEquals(await standings(app), [["Olmo", 1], ["Yi", 1]]);
});

Deno.test("a write-in that loses its last vote just as another voter picks it keeps the new vote", async () => {
  await using app = await testApp();
  for (let i = 0; i < 12; i++) {
    const address = `198.51.100.${i}`;
    await write(app, "Ada", `Name ${i}`, address);
    await Promise.all([
      write(app, "Ada", `Other ${i}`, address),
      write(app, "Bob", `Name ${i}`, `203.0.113.${i}`),
    ]);
    const counted = new Map(await standings(app));
    assertEquals([counted.get(`Name ${i}`), counted.get(`Other ${i}`)], [1, 1]);
  }
  assertEquals((await names(app)).filter(Boolean).length, 24);
});

/** The write-ins after Ada leaves her only one while Bob votes as well, on another server. */
async function leaveDuring(bobs: { before?: string; then: unknown }) {
  const { kv, others, overtake } = await overtakenKv();
  await using app = await testApp({ kv });
  await using other = await testApp({ kv: kvWith(others, { close() {} }) });
  await write(app, "Ada", "Olmo", "198.51.100.1");
  if (bobs.before !== undefined) await write(other, "Bob", bobs.before, "203.0.113.1");
  overtake(() => vote(other, bobs.then, { agent: "Bob", address: "203.0.113.1" }));
  await vote(app, { candidate: "claude" }, { agent: "Ada", address: "198.51.100.1" });
  return { names: await names(app), standings: await standings(app) };
}

Deno.test("a write-in that loses its last vote just as another server counts one keeps its place", async () => {
  assertEquals(await leaveDuring({ then: { candidate: "other", writeIn: "olmo" } }), {
    names: ["Olmo"],
    standings: [["Claude", 1], ["Olmo", 1]],
  });
});

Deno.test("a write-in whose last two votes leave at once on two servers frees its place", async () => {
  assertEquals(await leaveDuring({ before: "olmo", then: { candidate: "grok" } }), {
    names: [""],
    standings: [["Claude", 1], ["Grok", 1]],
  });
});

Deno.test("a vote for a write-in that another server frees at that moment gets it a place again", async () => {
  const { kv, others, overtake } = await overtakenKv();
  await using app = await testApp({ kv });
  await using other = await testApp({ kv: kvWith(others, { close() {} }) });
  await write(app, "Ada", "Olmo", "198.51.100.1");
  overtake(() => vote(other, { candidate: "claude" }, { agent: "Ada", address: "198.51.100.1" }));
  await write(app, "Bob", "Olmo", "203.0.113.1");
  assertEquals(await names(app), ["Olmo"]);
  assertEquals(await standings(app), [["Claude", 1], ["Olmo", 1]]);
});

Deno.test("a place that the operator took from a name with votes isn't reused", async () => {
  await using app = await testApp();
  await write(app, "Ada", "Spam");
  assertEquals((await operator(app, "writeins", "remove", "Spam")).status, 0);
  await write(app, "Ada", "Yi");
  assertEquals(await names(app), ["", "Yi"]);
  assertEquals(await standings(app), [["Yi", 1]]);
});

Deno.test("writeins remove accepts many names, from stdin too, and logs each", async () => {
  await using app = await testApp();
  for (const name of ["Olmo", "Spam 1", "Spam 2", "Spam 3", "Yi"]) await write(app, name, name);
  const done = await operator(app, "writeins", "remove", "spam 1", "none", "Spam 2", "Spam 1");
  assertEquals([done.status, done.stdout.trim().split("\n")], [1, [
    "Spam 1 is no longer a write-in",
    "Refused: none: The poll has no write-in named none",
    "Spam 2 is no longer a write-in",
    "Refused: Spam 1: The poll has no write-in named Spam 1",
    "2 changed, 0 unchanged, 2 refused",
  ]]);
  const input = "Spam 3\n\n  Yi  \n";
  const dry = await operatorReading(app, input, "writeins", "remove", "-", "--dry-run", "--json");
  const { results, ...counted } = JSON.parse(dry.stdout);
  assertEquals(counted, { ok: true, dryRun: true, changed: 2, unchanged: 0, refused: 0 });
  assertEquals(results, [
    { name: "Spam 3", changed: true },
    { name: "Yi", changed: true },
  ]);
  assertEquals((await names(app)).filter(Boolean), ["Olmo", "Spam 3", "Yi"]);
  assertEquals((await operatorReading(app, input, "writeins", "remove", "-")).status, 0);
  assertEquals((await names(app)).filter(Boolean), ["Olmo"]);
  assertEquals((await app.json("/api/v1/operator-log")).body.total, 4);
});

Deno.test("writeins remove --unused frees places that earlier versions left without votes", async () => {
  await using app = await testApp();
  await write(app, "Ada", "Olmo");
  const unused = Array.from({ length: LIMITS.writeInNames - 1 }, (_, i) => `Name ${i}`);
  await app.deps.store.transact((tx) => tx.set(pollKeys.writeIns, { names: ["Olmo", ...unused] }));
  assertEquals((await write(app, "Bob", "Yi")).body.error.code, "write_in_limit");
  const removed = await operator(app, "writeins", "remove", "--unused");
  assertEquals(removed.status, 0, removed.stdout);
  assertEquals((await names(app)).filter(Boolean), ["Olmo"]);
  assertEquals((await write(app, "Bob", "Yi")).status, 200);
});
