import { assert, assertEquals, assertRejects } from "@std/assert";
import { delay, systemClock } from "@/lib/clock.ts";
import { DomainError } from "@/lib/errors.ts";
import { OutcomeUnknown } from "@/lib/kv/commit.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { counterValue, type News, type Pulse, Store } from "@/lib/kv/store.ts";
import { faultKv, type FaultRates, HANG_MS } from "../../support/fault_kv.ts";
import { kvWith } from "../../support/kv_with.ts";
import { rounds, runSeed } from "../../support/runs.ts";

interface World extends AsyncDisposable {
  plain: Deno.Kv;
  faults: ReturnType<typeof faultKv>["faults"];
  store: Store;
}

async function world(seed: number, rates: FaultRates, hangMs?: number): Promise<World> {
  const plain = await Deno.openKv(":memory:");
  const { kv, faults } = faultKv(plain, { seed, rates, hangMs });
  const store = new Store(kv, systemClock, { deadlineMs: HANG_MS / 3 });
  return {
    plain,
    faults,
    store,
    async [Symbol.asyncDispose]() {
      await faults.caughtUp();
      plain.close();
    },
  };
}

async function number(kv: Deno.Kv, key: Deno.KvKey): Promise<number> {
  return counterValue(await kv.get(key));
}

const COUNTER = ["counter"];

for (
  const [fault, logged] of (["throw_before", "throw_after", "hang", "not_ok", "locked"] as const)
    .flatMap((fault) => [[fault, true], [fault, false]] as const)
) {
  const how = logged ? "with a log entry" : "without a log entry";
  Deno.test(`Store.transact takes effect once if the first commit hits ${fault}, ${how}`, async () => {
    await using w = await world(1, {});
    const heard: News[] = [];
    w.store.subscribe((news) => heard.push(news));
    w.faults.rates = { [fault]: 1 };
    const done = w.store.transact((tx) => {
      tx.sum(COUNTER, 1n);
      if (logged) tx.pulse({ kind: "vote", slug: "a", delta: 1 });
      return "done";
    });
    while (w.faults.injected[fault] === 0) await delay(0);
    w.faults.rates = {};
    assertEquals(await done, "done");
    await w.faults.caughtUp();
    assertEquals(await number(w.plain, COUNTER), 1);
    assertEquals(heard.length, logged ? 1 : 0);
    const pulses = await Array.fromAsync(w.plain.list({ prefix: storeKeys.pulses }));
    assertEquals(pulses.length, logged ? 1 : 0);
  });
}

Deno.test("Store.transact throws storage_unavailable if KV stays down, and a late commit is void (invariant 32)", async () => {
  // Every attempt hangs longer than the store keeps checking its outcome.
  await using w = await world(1, { hang: 1 }, 1_500);
  const attempt = w.store.transact((tx) => {
    tx.sum(COUNTER, 1n);
    tx.pulse({ kind: "vote", slug: "a", delta: 1 });
  });
  while (w.faults.injected.hang < 8) await delay(1);
  w.faults.rates = {};
  const error = await assertRejects(() => attempt, DomainError);
  assertEquals(error.code, "storage_unavailable");
  await w.faults.caughtUp();
  assertEquals(await number(w.plain, COUNTER), 0);
});

Deno.test("Store.transact keeps its result if a listener throws, and notifies the others", async () => {
  await using w = await world(1, {});
  const heard: News[] = [];
  const errors: unknown[] = [];
  const store = new Store(w.plain, systemClock, { onListenerError: (error) => errors.push(error) });
  store.subscribe(() => {
    throw new Error("listener");
  });
  store.subscribe((news) => heard.push(news));
  const result = await store.transact((tx) => {
    tx.change({ kind: "site", slug: "x", event: "y" });
    return 7;
  });
  assertEquals([result, heard.length, errors.length], [7, 1, 1]);
});

Deno.test("Tx.get checks the first read of a key, so a change before the second one conflicts", async () => {
  await using w = await world(1, {});
  let tries = 0;
  await w.store.transact(async (tx) => {
    tries++;
    const first = await tx.get<number>(["k"]);
    if (tries === 1) await w.plain.set(["k"], 5);
    await tx.get<number>(["k"]);
    tx.set(["copy"], first.value);
  });
  assertEquals(tries, 2);
  assertEquals((await w.plain.get(["copy"])).value, 5);
});

Deno.test("random KV faults: acknowledged writes are stored once, and refused ones aren't stored", async () => {
  const base = runSeed("store faults");
  const totals: Record<string, number> = {};
  for (let round = 0; round < rounds(24, 2000); round++) {
    const seed = base + round;
    const rate = [0.01, 0.05, 0.2][round % 3]!;
    await using w = await world(seed, {
      throw_before: rate,
      throw_after: rate,
      hang: rate / 4,
      not_ok: rate,
      locked: rate,
      read_throws: rate / 2,
    });
    const expected = new Map<string, number>();
    const heard: News[] = [];
    w.store.subscribe((news) => heard.push(news));
    await Promise.all(Array.from({ length: 40 }, async (_, i) => {
      const account = `account_${i % 5}`;
      const entry = ["entries", account, i];
      const logged = i % 2 === 0;
      try {
        await w.store.transact(async (tx) => {
          const balance = await tx.get<number>(["balances", account]);
          tx.set(["balances", account], (balance.value ?? 0) + 1);
          tx.sum(["counts", account], 1n);
          tx.set(entry, true);
          if (logged) tx.pulse({ kind: "vote", slug: account, delta: 1 });
        }, { queue: account });
        expected.set(JSON.stringify(entry), 1);
        totals.acknowledged = (totals.acknowledged ?? 0) + 1;
      } catch (error) {
        assert(
          error instanceof DomainError && error.code === "storage_unavailable",
          `seed ${seed}: ${error}`,
        );
        expected.set(JSON.stringify(entry), 0);
        totals.refused = (totals.refused ?? 0) + 1;
      }
    }));
    await w.faults.caughtUp();
    const entries = await Array.fromAsync(w.plain.list({ prefix: ["entries"] }));
    const found = new Set(entries.map((entry) => JSON.stringify(entry.key)));
    for (const [key, times] of expected) {
      assertEquals(found.has(key) ? 1 : 0, times, `seed ${seed}: ${key}`);
    }
    for (let a = 0; a < 5; a++) {
      const account = `account_${a}`;
      const stored = entries.filter((entry) => entry.key[1] === account).length;
      assertEquals(await number(w.plain, ["counts", account]), stored, `seed ${seed}`);
      assertEquals((await w.plain.get(["balances", account])).value ?? 0, stored, `seed ${seed}`);
      const told = heard.filter((n) => n.type === "pulse" && n.pulse.slug === account).length;
      const logs = await Array.fromAsync(
        w.plain.list<Pulse[]>({ prefix: storeKeys.pulses }),
      );
      const logged = logs.flatMap(({ value }) =>
        value
      ).filter(({ slug }) => slug === account).length;
      assertEquals(told, logged, `seed ${seed}: news and log`);
    }
    for (const [fault, n] of Object.entries(w.faults.injected)) {
      totals[fault] = (totals[fault] ?? 0) + n;
    }
  }
  assert(totals.throw_after! > 0 && totals.hang! > 0, JSON.stringify(totals));
});

Deno.test("a write that may still land isn't reported as storage_unavailable (invariant 32)", async () => {
  const plain = await Deno.openKv(":memory:");
  const { kv, faults } = faultKv(plain, { seed: 1, rates: { hang: 1 }, hangMs: 500 });
  const store = new Store(kv, systemClock, { deadlineMs: 10, settleMs: 100 });
  const error = await assertRejects(() =>
    store.transact((tx) => {
      tx.sum(COUNTER, 1n);
      tx.pulse({ kind: "vote", slug: "a", delta: 1 });
    })
  );
  assert(!(error instanceof DomainError), String(error));
  await faults.caughtUp();
  assertEquals(await number(plain, COUNTER), 1, "it landed late");
  plain.close();
});

Deno.test("a commit is settled once if it failed a check after an attempt that may land", async () => {
  using plain = await Deno.openKv(":memory:");
  const hang = () => new Promise<never>(() => {});
  let sent = 0;
  const kv = kvWith(plain, {
    get: hang,
    operation(operation) {
      const sum = operation.sum.bind(operation);
      operation.sum = (...args) => (sent++, sum(...args));
    },
    commit: () => sent === 2 ? Promise.resolve({ ok: false }) : hang(),
  });
  const store = new Store(kv, systemClock, { deadlineMs: 10, settleMs: 100 });
  const error = await assertRejects(() => store.transact((tx) => tx.sum(COUNTER, 1n)));
  assert(error instanceof OutcomeUnknown, String(error));
  assertEquals(sent, 2, "it isn't sent again after it was given up");
});

Deno.test("writes never sent to an unresponsive KV get storage_unavailable, alone or grouped (invariant 32)", async () => {
  using plain = await Deno.openKv(":memory:");
  const hang = () => new Promise<never>(() => {});
  let commits = 0;
  const kv = kvWith(plain, { get: hang, commit: () => (commits++, hang()) });
  const store = new Store(kv, systemClock, { deadlineMs: 10, settleMs: 100 });
  for (let i = 0; i < 16; i++) await assertRejects(() => store.foreignRevision());
  const write = () =>
    store.transact((tx) => {
      tx.sum(COUNTER, 1n);
      tx.pulse({ kind: "vote", slug: "a", delta: 1 });
    });
  const refused = Array.from({ length: 3 }, () => assertRejects(write, DomainError));
  for (const { code } of await Promise.all(refused)) assertEquals(code, "storage_unavailable");
  assertEquals(commits, 0);
});

for (const moment of ["after it was given up", "while its marker is read"]) {
  Deno.test(`a commit that lands ${moment} isn't refused, even if the disk is full`, async () => {
    using plain = await Deno.openKv(":memory:");
    const release = Promise.withResolvers<void>();
    let commits = 0;
    let landed: ReturnType<Deno.AtomicOperation["commit"]>;
    let reads = 0;
    const kv = kvWith(plain, {
      get: async (key) => {
        const entry = await plain.get(key);
        // Committing after the fence is futile.
        if (++reads === 40) {
          release.resolve();
          if (moment.startsWith("while")) await landed;
        }
        return entry;
      },
      commit: (land) =>
        ++commits === 1
          ? landed = release.promise.then(land)
          : Promise.reject(new Error("database or disk is full")),
    });
    const store = new Store(kv, systemClock, { deadlineMs: 10 });
    await store.transact((tx) => tx.set(["k"], 1));
    assertEquals((await plain.get(["k"])).value, 1);
  });
}
