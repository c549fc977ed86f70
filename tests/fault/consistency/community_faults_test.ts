import { assert, assertEquals } from "@std/assert";
import { createDeps, type Deps } from "@/lib/app/deps.ts";
import { parseEnv } from "@/lib/env.ts";
import { DomainError } from "@/lib/errors.ts";
import { guestbookKeys } from "@/lib/guestbook/keys.ts";
import type { AgentRecord, StoredCheckIn } from "@/lib/guestbook/schema.ts";
import { checkIn, getGuestbook } from "@/lib/guestbook/service.ts";
import { Caller } from "@/lib/http/caller.ts";
import type { KvLike } from "@/lib/kv/store.ts";
import { pollVoterOf } from "@/lib/poll/ballots.ts";
import { parseBallot } from "@/lib/poll/input.ts";
import { pollKeys } from "@/lib/poll/keys.ts";
import type { StoredBallot } from "@/lib/poll/schema.ts";
import { castBallot, getPoll } from "@/lib/poll/service.ts";
import { nameKey } from "@/lib/text/name_key.ts";
import { faultKv } from "../../support/fault_kv.ts";
import { fixedClock } from "../../support/fixed_clock.ts";
import { rounds, runSeed, seededRandom } from "../../support/runs.ts";
import { TEST_SETTINGS } from "../../support/settings.ts";

const DAY = "2026-03-04";
const CHOICES = ["claude", "grok", "other"] as const;
const VOTERS = 6;
const STEPS = 6;

function depsOver(kv: KvLike): Deps {
  const env = parseEnv(TEST_SETTINGS);
  const clock = fixedClock(`${DAY}T12:00:00.000Z`);
  return createDeps(env, { kv, salt: env.hashSalt!, clock });
}

/** A call's value, or null for a 503; anything else fails the test. */
async function answerOf<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    assert(error instanceof DomainError && error.code === "storage_unavailable", String(error));
    return null;
  }
}

for (const percent of [1, 5, 20]) {
  Deno.test(`with ${percent}% KV faults, a 503 changes nothing and counts are exact (invariants 4, 13, 32)`, async () => {
    const first = runSeed(`community faults ${percent} %`);
    for (let round = 0; round < rounds(3, 60); round++) {
      await surviveFaults(first + round, percent / 100);
    }
  });
}

Deno.test("a stored write-in is confirmed even if KV fails right after (invariant 32)", async () => {
  const plain = await Deno.openKv(":memory:");
  const { kv, faults } = faultKv(plain, { seed: 1, rates: {} });
  const deps = depsOver(kv);
  // After a ballot was stored.
  deps.store.subscribe(() => faults.rates = { read_throws: 1 });
  const caller = new Caller({
    peer: "198.51.100.1",
    headers: new Headers({ "x-agent-name": "Agent" }),
    identity: deps.identity,
    trustedProxies: 0,
  });
  for (const writeIn of ["Model 1", "MODEL 1", "Model 2"]) {
    faults.rates = {};
    const ballot = parseBallot({ candidate: "other", writeIn, reason: null });
    const { ballot: shown } = await castBallot(deps, { ballot, caller });
    assertEquals(shown.name, writeIn === "MODEL 1" ? "Model 1" : writeIn);
  }
  plain.close();
});

async function surviveFaults(seed: number, rate: number): Promise<void> {
  const plain = await Deno.openKv(":memory:");
  const rates = {
    throw_before: rate,
    throw_after: rate,
    not_ok: rate,
    locked: rate,
    read_throws: rate,
  };
  const { kv, faults } = faultKv(plain, { seed, rates });
  const deps = depsOver(kv);
  const random = seededRandom(seed);
  await Promise.all(Array.from({ length: VOTERS }, (_, i) => act(deps, { plain, random, i })));
  const injected = Object.values(faults.injected).reduce((sum, n) => sum + n, 0);
  assert(rate < 0.2 || injected > 0, "faults must strike");
  faults.rates = {};
  await assertCounts(plain);
  plain.close();
}

/**
 * One agent votes and checks in, step by step, and knows after each response what must be stored.
 */
async function act(
  deps: Deps,
  { plain, random, i }: { plain: Deno.Kv; random: () => number; i: number },
): Promise<void> {
  const agentName = `Agent ${i}`;
  const caller = new Caller({
    peer: `198.51.100.${i}`,
    headers: new Headers({ "x-agent-name": agentName }),
    identity: deps.identity,
    trustedProxies: 0,
  });
  const ballotKey = pollKeys.ballot(DAY, pollVoterOf(deps, { caller, day: DAY }));
  const checkInKey = guestbookKeys.checkIn(DAY, nameKey(agentName));
  let reason: string | null = null;
  let catchphrase: string | null = null;
  for (let step = 0; step < STEPS; step++) {
    const said = `Step ${step}`;
    if (random() < 0.5) {
      const candidate = CHOICES[Math.floor(random() * CHOICES.length)]!;
      const ballot = parseBallot({ candidate, writeIn: `Model ${step % 2}`, reason: said });
      const answer = await answerOf(castBallot(deps, { ballot, caller }));
      if (answer !== null) {
        assertEquals(answer.changed, reason !== null, "changed says whether there was one before");
        reason = said;
      }
      const stored = (await plain.get<StoredBallot>(ballotKey)).value;
      assertEquals(stored?.reason ?? null, reason);
    } else {
      const input = { agentName, model: null, maker: null, catchphrase: said, themeProposal: null };
      const answer = await answerOf(checkIn(deps, { checkIn: input, caller }));
      if (answer !== null) {
        assertEquals(answer.changed, catchphrase !== null);
        catchphrase = said;
      }
      const stored = (await plain.get<StoredCheckIn>(checkInKey)).value;
      assertEquals(stored?.catchphrase ?? null, catchphrase);
    }
  }
}

/** What a freshly started process shows equals what is stored, counted one by one. */
async function assertCounts(plain: Deno.Kv): Promise<void> {
  const deps = depsOver(plain);
  const anyone = new Caller({
    peer: "192.0.2.1",
    headers: new Headers(),
    identity: deps.identity,
    trustedProxies: 0,
  });
  const votes: Record<string, number> = {};
  let reasons = 0;
  for await (const { value } of plain.list<StoredBallot>({ prefix: pollKeys.ballots(DAY) })) {
    votes[value.candidateId] = (votes[value.candidateId] ?? 0) + 1;
    if (value.reasonId !== null) reasons++;
  }
  const poll = await getPoll(deps, { limit: 250, caller: anyone });
  const rows = poll.standings.all!.standings.all!;
  assertEquals(Object.fromEntries(rows.map(({ id, votes }) => [id, votes])), votes);
  assertEquals(poll.recentReasons.length, reasons);
  assertEquals((await Array.fromAsync(plain.list({ prefix: pollKeys.reasons }))).length, reasons);

  const book = await getGuestbook(deps);
  const signed = await Array.fromAsync(plain.list({ prefix: guestbookKeys.checkInsOf(DAY) }));
  assertEquals([book.totals.today, book.recent.length], [signed.length, signed.length]);
  for await (const { value } of plain.list<AgentRecord>({ prefix: guestbookKeys.agents })) {
    assertEquals(value.total, 1);
  }
}
