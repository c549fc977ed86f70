import { assert, assertEquals } from "@std/assert";
import { createDeps, type Deps } from "@/lib/app/deps.ts";
import { delay, systemClock } from "@/lib/clock.ts";
import { parseEnv } from "@/lib/env.ts";
import { DomainError } from "@/lib/errors.ts";
import { Caller } from "@/lib/http/caller.ts";
import { type KvLike, Store } from "@/lib/kv/store.ts";
import { listingKind } from "@/lib/listings/catalogue.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { Sync } from "@/lib/read_model/sync.ts";
import { voteKeys } from "@/lib/votes/keys.ts";
import { getVote, setVote } from "@/lib/votes/service.ts";
import { faultKv, type FaultRates, HANG_MS } from "../../support/fault_kv.ts";
import { kvWith } from "../../support/kv_with.ts";
import { rounds, runSeed, seededRandom } from "../../support/runs.ts";
import { TEST_SETTINGS } from "../../support/settings.ts";
import { storedListing } from "../../support/stored_listing.ts";
import {
  isLinearizable,
  type Model,
  type Operation,
  type VoteInput,
  voteModel,
  type VoteOutput,
} from "./linearizability.ts";

type RegisterInput = { type: "read" } | { type: "write"; value: number };
const register: Model<number, RegisterInput, number> = {
  initial: 0,
  key: String,
  step: (state, input, output) =>
    input.type === "write" ? input.value : output === undefined || output === state ? state : null,
};

const write = (value: number, calledAt: number, returnedAt: number, output?: number) => ({
  input: { type: "write", value } as const,
  output,
  calledAt,
  returnedAt,
});
const read = (output: number, calledAt: number, returnedAt: number) => ({
  input: { type: "read" } as const,
  output,
  calledAt,
  returnedAt,
});

for (
  const [what, expected, history] of [
    ["a read after a write sees it", true, [write(1, 0, 1, 1), read(1, 2, 3)]],
    ["a read after a write is stale", false, [write(1, 0, 1, 1), read(0, 2, 3)]],
    ["reads during a write see the old value, then the new one", true, [
      write(1, 0, 9, 1),
      read(0, 1, 2),
      read(1, 3, 4),
    ]],
    ["reads during a write see the new value, then the old one", false, [
      write(1, 0, 9, 1),
      read(1, 1, 2),
      read(0, 3, 4),
    ]],
    ["an unanswered write lands late", true, [
      write(1, 0, Infinity),
      read(0, 1, 2),
      read(1, 8, 9),
    ]],
    ["an unanswered write never lands", true, [write(1, 0, Infinity), read(0, 8, 9)]],
    ["an unanswered write lands twice", false, [
      write(1, 0, Infinity),
      read(1, 1, 2),
      write(2, 3, 4, 2),
      read(1, 5, 6),
    ]],
  ] as [string, boolean, Operation<RegisterInput, number>[]][]
) {
  Deno.test(`isLinearizable returns ${expected} if ${what}`, () => {
    assertEquals(isLinearizable(register, history), expected);
  });
}

/** A process as the vote services see it. */
async function startProcess(kv: KvLike): Promise<Deps> {
  const env = parseEnv(TEST_SETTINGS);
  const deps = createDeps(env, { kv, salt: env.hashSalt!, clock: systemClock });
  const store = new Store(kv, systemClock, { deadlineMs: HANG_MS / 3 });
  const { catalogue, log } = deps;
  const sync = new Sync({ store, log, kinds: [listingKind(catalogue)] });
  // If KV fails, the response has a list's count instead, which isn't a read: NaN marks it.
  const shown = Object.create(catalogue, { countsOf: { value: () => ({ votes: NaN }) } });
  Object.assign(deps, { store, sync, catalogue: shown });
  // The deadline is so short that a busy machine may miss it without a fault.
  while (!await sync.load().then(() => true, () => false));
  return deps;
}

/**
 * A random history of votes by 6 voters on one listing through the services, on a failing KV. One
 * in `elsewhere` operations goes through another process.
 */
async function voteHistory(
  seed: number,
  options: {
    rates: FaultRates;
    wrap?: (kv: KvLike) => KvLike;
    elsewhere?: number;
  },
): Promise<Operation<VoteInput, VoteOutput>[]> {
  const random = seededRandom(seed);
  const plain = await Deno.openKv(":memory:");
  const { kv: faulty, faults } = faultKv(plain, { seed, rates: options.rates });
  const kv = options.wrap?.(faulty) ?? faulty;
  const { elsewhere = 0 } = options;
  await plain.set(listingKeys.one("a"), storedListing("a"));
  faults.rates = {};
  const processes = [await startProcess(kv), await startProcess(kv)] as const;
  faults.rates = options.rates;
  let ended = false;
  const tails = processes.map(async ({ store }) => {
    while (!ended) {
      await store.foreignRevision().catch(() => {});
      await delay(1);
    }
  });
  const callers = Array.from({ length: 6 }, (_, i) =>
    new Caller({
      peer: `198.51.100.${i + 1}`,
      headers: new Headers({ "user-agent": "history" }),
      identity: processes[0].identity,
      trustedProxies: 0,
    }));
  const history: Operation<VoteInput, VoteOutput>[] = [];
  let clock = 0;
  await Promise.all(callers.map(async (caller, voter) => {
    for (let i = 0; i < 5; i++) {
      await delay(random() * 2);
      const deps = processes[random() < elsewhere ? 1 : 0];
      const calledAt = ++clock;
      const asks = random() < 0.3;
      const voted = random() < 0.6;
      try {
        const answer = asks
          ? await getVote(deps, { kind: "listing", slug: "a", caller })
          : await setVote(deps, { kind: "listing", slug: "a", caller, voted });
        const returnedAt = ++clock;
        // A vote returns the count after it, so the read comes last.
        if (!asks) {
          const input = { type: "vote", voter, voted } as const;
          history.push({ input, output: { changed: answer.changed }, calledAt, returnedAt });
        }
        const after = asks ? undefined : history.length - 1;
        const output = { count: answer.votes };
        if (Number.isNaN(output.count)) continue;
        history.push({ input: { type: "count" }, output, calledAt, returnedAt, after });
      } catch (error) {
        assert(error instanceof DomainError && error.code === "storage_unavailable", `${error}`);
        // A 503 says that nothing changed: the history must be explained without it.
      }
    }
  }));
  ended = true;
  await Promise.all(tails);
  await faults.caughtUp();
  await Promise.all(processes.map(({ sync }) => sync.caughtUp()));
  plain.close();
  return history;
}

Deno.test("vote histories are linearizable, even while KV fails", async () => {
  const base = runSeed("vote histories");
  let operations = 0;
  for (let round = 0; round < rounds(25, 1000); round++) {
    const seed = base + round;
    const rates = round % 2 === 0
      ? {}
      : { throw_before: 0.05, throw_after: 0.05, not_ok: 0.05, locked: 0.05, hang: 0.01 };
    const history = await voteHistory(seed, { rates });
    operations += history.length;
    assert(isLinearizable(voteModel, history), `seed ${seed}: ${JSON.stringify(history)}`);
  }
  assert(operations > rounds(25, 1000) * 20);
});

Deno.test("vote histories are linearizable when another process votes occasionally", async () => {
  const base = runSeed("vote histories of two processes");
  for (let round = 0; round < rounds(25, 1000); round++) {
    const seed = base + round;
    const history = await voteHistory(seed, {
      rates: round % 2 === 0 ? {} : { throw_before: 0.02, throw_after: 0.02, locked: 0.05 },
      elsewhere: round % 3 === 0 ? 0 : 0.1,
    });
    assert(isLinearizable(voteModel, history), `seed ${seed}: ${JSON.stringify(history)}`);
  }
});

Deno.test("the checker detects injected stale reads of the count", async () => {
  const stale = (kv: KvLike): KvLike => {
    const before = new Map<string, Deno.KvEntryMaybe<unknown>>();
    const counters = [voteKeys.count("listing", "a", "up"), voteKeys.count("listing", "a", "down")];
    const names = new Set(counters.map((key) => JSON.stringify(key)));
    return kvWith(kv, {
      // Every other read of the counters returns what the previous one saw.
      getMany: async (keys) => {
        const entries = await kv.getMany(keys);
        return entries.map((entry) => {
          const name = JSON.stringify(entry.key);
          if (!names.has(name)) return entry;
          const old = before.get(name) ?? entry;
          before.set(name, entry);
          return old;
        });
      },
    });
  };
  const seed = runSeed("stale reads");
  let caught = 0;
  for (let round = 0; round < 20; round++) {
    const history = await voteHistory(seed + round, { rates: {}, wrap: stale });
    if (!isLinearizable(voteModel, history)) caught++;
  }
  // A read that is one step behind is wrong only if it began after that step had ended, as in most
  // histories.
  assert(caught >= 6, `caught ${caught} of 20`);
});
