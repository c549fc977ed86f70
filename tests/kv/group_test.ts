import { assert, assertEquals, assertRejects } from "@std/assert";
import { fixedClock } from "@/lib/clock.ts";
import { DomainError } from "@/lib/errors.ts";
import { counterValue, type KvLike, Store } from "@/lib/kv/store.ts";

/** A store that counts how often KV was called. */
async function countingStore() {
  const kv = await Deno.openKv(":memory:");
  const calls = { commits: 0, reads: 0 };
  const counted: KvLike = {
    get: (key) => kv.get(key),
    getMany: (keys: readonly unknown[]) => {
      calls.reads++;
      // deno-lint-ignore no-explicit-any -- passes through whatever the caller's types are
      return kv.getMany(keys as any) as any;
    },
    list: (selector, options) => kv.list(selector, options),
    close: () => kv.close(),
    atomic: () => {
      const operation = kv.atomic();
      const commit = operation.commit.bind(operation);
      operation.commit = () => {
        calls.commits++;
        return commit();
      };
      return operation;
    },
  };
  const store = new Store(counted, fixedClock(0));
  return Object.assign(store, { calls, [Symbol.dispose]: () => store.close() });
}

Deno.test("transactions that wait share commits, and each takes effect once", async () => {
  using store = await countingStore();
  await Promise.all(Array.from({ length: 100 }, (_, i) =>
    store.transact((tx) => {
      tx.set(["k", i], i);
      tx.sum(["n"], 1n);
      return Promise.resolve();
    })));
  assertEquals(counterValue(await store.get(["n"])), 100);
  assert(store.calls.commits < 40, `${store.calls.commits} commits`);
});

Deno.test("a transaction whose check fails does not keep its group from being committed", async () => {
  using store = await countingStore();
  await store.transact((tx) => Promise.resolve(tx.set(["taken"], 0)));
  let runs = 0;
  const others = Array.from(
    { length: 20 },
    (_, i) => store.transact((tx) => Promise.resolve(tx.set(["k", i], i))),
  );
  const late = store.transact(async (tx) => {
    runs++;
    const entry = runs === 1
      ? { versionstamp: null, value: null }
      : await tx.get<number>(["taken"]);
    tx.check({ key: ["taken"], versionstamp: entry.versionstamp });
    tx.set(["taken"], (entry.value ?? 100) + 1);
  });
  await Promise.all([...others, late]);
  assertEquals([runs, (await store.get(["taken"])).value], [2, 1]);
  for (let i = 0; i < 20; i++) assertEquals((await store.get(["k", i])).value, i);
});

Deno.test("transactions that meet on a key are not joined: 50 increments are 50", async () => {
  using store = await countingStore();
  await Promise.all(Array.from({ length: 50 }, () =>
    store.transact(async (tx) => {
      const { value } = await tx.get<number>(["n"]);
      tx.set(["n"], (value ?? 0) + 1);
    }, { queue: "n" })));
  assertEquals((await store.get(["n"])).value, 50);
});

Deno.test("reads that wait share calls and get their own keys", async () => {
  using store = await countingStore();
  await store.transact((tx) => {
    for (let i = 0; i < 9; i++) tx.set(["k", i], i);
    return Promise.resolve();
  });
  store.calls.reads = 0;
  const read = await Promise.all(
    Array.from({ length: 60 }, (_, i) => store.getMany([["k", i % 9], ["absent", i]])),
  );
  read.forEach(([known, absent], i) => assertEquals([known!.value, absent!.value], [i % 9, null]));
  assert(store.calls.reads < 30, `${store.calls.reads} calls`);
});

Deno.test("recall that is out of date costs a try and no more", async () => {
  using store = await countingStore();
  const recalled: unknown[] = [];
  const increment = () =>
    store.transact(async (tx) => {
      const [entry] = await tx.recall([["n"]], { orAbsent: true });
      recalled.push(entry!.value);
      tx.set(["n"], ((entry!.value as number | null) ?? 0) + 1);
    });
  await increment();
  await increment();
  assertEquals(recalled, [null, 1]);
  await store.kv.atomic().set(["n"], 10).commit();
  await increment();
  assertEquals(recalled, [null, 1, 2, 10]);
  assertEquals((await store.get(["n"])).value, 11);
});

Deno.test("a refusal that rests on recalled data is judged again on real reads", async () => {
  using store = await countingStore();
  const claim = () =>
    store.transact(async (tx) => {
      const [entry] = await tx.recall([["open"]], { orAbsent: true });
      if (entry!.value !== true) throw new DomainError("not_found");
      return "in";
    });
  await assertRejects(claim, DomainError);
  await store.kv.atomic().set(["open"], true).commit();
  assertEquals(await claim(), "in");
});

Deno.test("a key longer than KV holds reads as absent, and fails no read that shares its call", async () => {
  using store = await countingStore();
  await store.transact((tx) => Promise.resolve(tx.set(["short"], 1)));
  for (
    const part of ["x".repeat(2_049), "é".repeat(1_030), "\0".repeat(1_030)]
  ) {
    const [long, ...short] = await Promise.all([
      store.get([part]),
      ...Array.from({ length: 9 }, () => store.get(["short"])),
    ]);
    assertEquals(long!.value, null);
    assertEquals(short.map(({ value }) => value), Array(9).fill(1));
  }
});

Deno.test("a transaction whose value or key KV refuses fails alone, not the group that it waits with", async () => {
  using store = await countingStore();
  const write = (key: string, value: string) =>
    store.transact((tx) => Promise.resolve(tx.set([key], value)));
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 12 }, (_, i) => write(`a${i}`, "small")),
    write("big", "x".repeat(70_000)),
    write("k".repeat(3_000), "small"),
    ...Array.from({ length: 12 }, (_, i) => write(`b${i}`, "small")),
  ]);
  const refused = outcomes.flatMap(({ status }, i) => status === "rejected" ? [i] : []);
  assertEquals(refused, [12, 13]);
  for (const key of ["a0", "a11", "b0", "b11"]) {
    assertEquals((await store.get([key])).value, "small");
  }
});
