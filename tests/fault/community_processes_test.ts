import { assertEquals } from "@std/assert";
import { createDeps, type Deps } from "@/lib/app/deps.ts";
import { utcDay } from "@/lib/clock.ts";
import { checkIn } from "@/lib/guestbook/service.ts";
import { Caller } from "@/lib/http/caller.ts";
import { pollKeys } from "@/lib/poll/keys.ts";
import type { WriteIns } from "@/lib/poll/schema.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { TEST_SETTINGS } from "../support/settings.ts";
import { type Line, race } from "./race.ts";

const nothing = () => Promise.resolve();

const codes = (lines: Line[]) => [...new Set(lines.filter((l) => !l.ok).map((l) => l.code))];

async function count(kv: Deno.Kv, prefix: string[]): Promise<number> {
  return (await Array.fromAsync(kv.list({ prefix }))).length;
}

Deno.test("three processes on one file: 60 agents of one network cast exactly 25 ballots", async () => {
  await using run = await race("poll_agents", nothing);
  assertEquals(run.lines.filter((l) => l.ok).length, 25);
  assertEquals(codes(run.lines), ["too_many_agent_identities"]);
  const day = utcDay(Date.now());
  assertEquals(await count(run.kv, ["poll_ballots"]), 25);
  const up = await run.kv.get<Deno.KvU64>(pollKeys.tally(day, "ai_agent", "claude", "up"));
  assertEquals(Number(up.value), 25);
});

Deno.test("three processes on one file: exactly 200 of 240 write-in names are kept", async () => {
  await using run = await race("write_ins", nothing);
  assertEquals(run.lines.filter((l) => l.ok).length, 200);
  assertEquals(codes(run.lines), ["write_in_limit"]);
  const { names } = (await run.kv.get<WriteIns>(pollKeys.writeIns)).value!;
  assertEquals(new Set(names).size, 200);
  assertEquals(await count(run.kv, ["poll_ballots"]), 200);
});

Deno.test("three processes on one file: 60 names of one network make exactly 25 check-ins", async () => {
  await using run = await race("check_ins", nothing);
  assertEquals(run.lines.filter((l) => l.ok).length, 25);
  assertEquals(codes(run.lines), ["too_many_agent_identities"]);
  assertEquals(await count(run.kv, ["guestbook_check_ins"]), 25);
  assertEquals(await count(run.kv, ["guestbook_agents"]), 25);
});

Deno.test("three processes that close a day at the same time agree on its winner (invariant 18)", async () => {
  await using run = await race("close_day", signOnThatDay);
  assertEquals(run.lines.length, 15);
  for (const { ok, result } of run.lines) {
    assertEquals([ok, result.winner], [true, {
      family: "anthropic",
      checkIns: 2,
      detectedHits: 0,
    }]);
  }
  assertEquals(await count(run.kv, ["ai_of_the_day"]), 1);
});

/** Two check-ins by Anthropic's family and one by xAI's, on the day that the workers close. */
async function signOnThatDay({ env, store }: Deps): Promise<void> {
  const clock = fixedClock("2026-03-04T12:00:00.000Z");
  const deps = createDeps(env, { kv: store.kv, salt: TEST_SETTINGS.HASH_SALT, clock });
  for (const agentName of ["Claude 1", "Claude 2", "Grok"]) {
    const caller = new Caller({
      peer: "192.0.2.1",
      headers: new Headers(),
      identity: deps.identity,
      trustedProxies: 0,
    });
    const said = { agentName, model: null, maker: null, catchphrase: "Hello", themeProposal: null };
    await checkIn(deps, { checkIn: said, caller });
  }
}
