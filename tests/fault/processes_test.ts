import { assert, assertEquals } from "@std/assert";
import { skillKeys } from "@/lib/skills/keys.ts";
import { race } from "./race.ts";
import { assertConsistent, votesOf } from "./votes_audit.ts";

Deno.test("three processes on one file: 300 votes of 300 voters count as 300, without errors", async () => {
  await using run = await race("votes");
  assertEquals(run.lines.filter((l) => !l.ok), []);
  assert(run.lines.every((l) => l.result.changed));
  const { voters, count } = await votesOf(run.kv, "race");
  assertEquals([voters.size, count], [300, 300]);
});

Deno.test("three processes on one file: 75 votes of one voter count once", async () => {
  await using run = await race("same_voter");
  assertEquals(run.lines.filter((l) => !l.ok), []);
  assertEquals(run.lines.filter((l) => l.result.changed).length, 1);
  assertEquals((await votesOf(run.kv, "race")).count, 1);
});

Deno.test("three processes on one file: concurrent votes and unvotes match the stored set", async () => {
  await using run = await race("storm");
  assertEquals(run.lines.filter((l) => !l.ok), []);
  assert(run.lines.every((l) => l.result.votes >= 0 && l.result.votes <= 8));
  await assertConsistent(run.kv, "storm");
  // Each voter's changes alternate between voted and not, so their sum is the stored vote.
  const { voters } = await votesOf(run.kv, "race");
  const net = run.lines.filter((l) => l.result.changed)
    .reduce((sum, l) => sum + (l.result.voted ? 1 : -1), 0);
  assertEquals(net, voters.size);
});

Deno.test("three processes on one file: 30 submissions of one URL list it once (invariant 6)", async () => {
  await using run = await race("one_url");
  const created = run.lines.filter((l) => l.ok);
  assertEquals(created.length, 1);
  assertEquals(
    run.lines.filter((l) => !l.ok).map((l) => l.code),
    Array(29).fill("duplicate_url"),
  );
  const listings = await assertConsistent(run.kv, "one_url");
  assertEquals([...listings.keys()].sort(), ["race", created[0]!.result].sort());
});

Deno.test("three processes on one file: 30 submissions of the same content share it once", async () => {
  await using run = await race("one_skill");
  const created = run.lines.filter((l) => l.ok);
  assertEquals(created.length, 1);
  assertEquals(
    run.lines.filter((l) => !l.ok).map((l) => l.code),
    Array(29).fill("duplicate_skill"),
  );
  const stored = [];
  for await (const { key } of run.kv.list({ prefix: skillKeys.all })) stored.push(key[1]);
  assertEquals(stored, [created[0]!.result]);
});
