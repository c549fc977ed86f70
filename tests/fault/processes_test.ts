import { assert, assertEquals } from "@std/assert";
import { createDeps } from "@/lib/deps.ts";
import { systemClock } from "@/lib/clock.ts";
import { parseEnv } from "@/lib/env.ts";
import { Caller } from "@/lib/http/caller.ts";
import { ListingInput } from "@/lib/listings/schema.ts";
import { createListing } from "@/lib/listings/service.ts";
import { TEST_SETTINGS } from "../support/settings.ts";
import { assertConsistent, votesOf } from "./votes_audit.ts";

const WORKER = new URL("./worker.ts", import.meta.url).pathname;
const PROCESSES = 3;
/** How long the workers get to start, so that they race. */
const HEAD_START_MS = 2_500;

interface Line {
  worker: number;
  ok: boolean;
  code?: string;
  voter?: number;
  // deno-lint-ignore no-explicit-any -- the result of whatever service the scenario calls
  result?: any;
}

/** Runs a scenario in several processes on one new KV file; returns every line and the file opened. */
async function race(scenario: string): Promise<{ lines: Line[]; kv: Deno.Kv } & AsyncDisposable> {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/kv.sqlite3`;
  const kv = await Deno.openKv(file);
  const env = parseEnv({ ...TEST_SETTINGS, KV_PATH: file });
  const deps = createDeps(env, { kv, salt: env.hashSalt!, clock: systemClock });
  await createListing(deps, {
    input: ListingInput.parse({ name: "Race", url: "https://race.example.com", tagline: "Set" }),
    caller: new Caller({
      peer: "192.0.2.1",
      headers: new Headers(),
      identity: deps.identity,
      trustedProxies: 0,
    }),
  });
  const startAt = String(Date.now() + HEAD_START_MS);
  const outputs = await Promise.all(
    Array.from({ length: PROCESSES }, (_, worker) =>
      new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--quiet",
          "--no-check",
          "--allow-read",
          "--allow-write",
          "--allow-env",
          WORKER,
          file,
          scenario,
          String(worker),
          startAt,
        ],
        stdout: "piped",
        stderr: "piped",
      }).output()),
  );
  const lines = outputs.flatMap(({ code, stdout, stderr }) => {
    assertEquals(code, 0, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
  });
  return {
    lines,
    kv,
    async [Symbol.asyncDispose]() {
      kv.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("three processes on one file (F7): 300 votes of 300 voters count 300, no error shown", async () => {
  await using run = await race("votes");
  assertEquals(run.lines.filter((l) => !l.ok), []);
  assert(run.lines.every((l) => l.result.changed));
  const { voters, count } = await votesOf(run.kv, "race");
  assertEquals([voters.size, count], [300, 300]);
});

Deno.test("three processes on one file (F7): 75 votes of one voter count once", async () => {
  await using run = await race("same_voter");
  assertEquals(run.lines.filter((l) => !l.ok), []);
  assertEquals(run.lines.filter((l) => l.result.changed).length, 1);
  assertEquals((await votesOf(run.kv, "race")).count, 1);
});

Deno.test("three processes on one file (F7): a storm of votes and unvotes ends in the stored set", async () => {
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

Deno.test("three processes on one file (F7): 30 submissions of one URL list it once (invariant 6)", async () => {
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
