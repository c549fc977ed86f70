import { assert, assertEquals, assertRejects } from "@std/assert";
import { setImmediate } from "node:timers";
import { DomainError } from "@/lib/errors.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { createLogId, logIdAt, logIdTime } from "@/lib/kv/log_id.ts";
import { counterValue, type News, Store, type Tx } from "@/lib/kv/store.ts";
import { faultKv } from "../support/fault_kv.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { kvWith } from "../support/kv_with.ts";
import { until } from "../support/until.ts";

async function openStore(): Promise<Store & Disposable> {
  const store = new Store(await Deno.openKv(":memory:"), fixedClock(1_000_000));
  return Object.assign(store, { [Symbol.dispose]: () => store.close() });
}

/** Runs something that retries, without pauses between attempts. */
async function withoutPauses<T>(run: () => Promise<T>): Promise<T> {
  const { random } = Math;
  Math.random = () => 0;
  try {
    return await run();
  } finally {
    Object.assign(Math, { random });
  }
}

Deno.test("transact writes nothing when its body throws", async () => {
  using store = await openStore();
  await assertRejects(
    () =>
      store.transact((tx) => {
        tx.set(["a"], 1);
        throw new DomainError("not_found");
      }),
    DomainError,
    "There is nothing at this address",
  );
  assertEquals((await store.get(["a"])).value, null);
});

for (const how of ["get", "getMany"] as const) {
  Deno.test(`transact reruns its body on fresh reads if what it read by ${how} has changed`, async () => {
    using store = await openStore();
    let runs = 0;
    const read = async (tx: Tx) => {
      if (how === "get") return await tx.get(["n"]);
      return (await tx.getMany([["other"], ["n"]]))[1]!;
    };
    const result = await store.transact(async (tx) => {
      const value = (await read(tx)).value as number | null;
      if (++runs === 1) await store.transact((other) => other.set(["n"], 41));
      // Another key, so that only the check can detect the conflict.
      tx.set(["sum"], (value ?? 0) + 1);
      return (value ?? 0) + 1;
    });
    assertEquals([result, runs, (await store.get(["sum"])).value], [42, 2, 42]);
  });
}

Deno.test("a value is set with the requested expiry", async () => {
  const expiries: unknown[] = [];
  const kv = kvWith(await Deno.openKv(":memory:"), {
    operation(operation) {
      const { set } = operation;
      operation.set = (key, value, options) => {
        if (key[0] === "short" || key[0] === "long") expiries.push([key[0], options?.expireIn]);
        return set.call(operation, key, value, options);
      };
    },
  });
  const store = new Store(kv, fixedClock(0));
  await store.transact((tx) => {
    tx.set(["short"], 1, { expireIn: 1_000 });
    tx.set(["long"], 1);
  });
  assertEquals(expiries, [["short", 1_000], ["long", undefined]]);
  store.close();
});

Deno.test("setExpiring refuses a key without a lifetime", async () => {
  using store = await openStore();
  const write = store.transact((tx) => tx.setExpiring(["forgotten", 1], true));
  await assertRejects(() => write, Error, "No lifetime for forgotten");
});

Deno.test("an abandoned write leaves nothing in the logs that readers take for news", async () => {
  const kv = await Deno.openKv(":memory:");
  let commits = 0;
  const failing = kvWith(kv, {
    async commit(land) {
      if (++commits % 9 !== 0) throw new Error("lost");
      return await land();
    },
  });
  const store = new Store(failing, fixedClock(1_000_000));
  const bodies: ((tx: Tx) => void)[] = [
    (tx) => tx.change({ kind: "listing", slug: "a", event: "edited" }),
    (tx) => tx.pulse({ kind: "vote", slug: "a", delta: 1 }),
  ];
  for (const body of bodies) {
    const write = () => withoutPauses(() => store.transact(body));
    const error = await assertRejects(write, DomainError);
    assertEquals(error.code, "storage_unavailable");
  }
  const [change, pulses, ...more] = await Array.fromAsync(kv.list({ prefix: [] }));
  const id = change!.key[1];
  const voided = { id, at: 1_000_000, kind: "site", slug: "storage", event: "voided" };
  assertEquals([change!.key, change!.value], [storeKeys.change(id as string), voided]);
  assertEquals([pulses!.value, more], [[], []]);
  store.close();
});

Deno.test("a write whose group was given up succeeds if it landed separately (invariant 32)", async () => {
  const kv = await Deno.openKv(":memory:");
  const held = Promise.withResolvers<void>();
  let commits = 0;
  let alone = 0;
  const failing = kvWith(kv, {
    operation(operation) {
      const { sum, commit } = operation;
      let sums = 0;
      let isOurs = false;
      operation.sum = (key, amount) => {
        sums++;
        isOurs ||= key[0] === "ours";
        return sum.call(operation, key, amount);
      };
      operation.commit = async () => {
        if (++commits === 1) await held.promise;
        // The group sums two counters and the revision.
        if (sums === 3) throw new Error("lost");
        if (!isOurs || ++alone === 1) {
          const result = await commit.call(operation);
          if (isOurs) throw new Error("lost");
          return result;
        }
        throw new Error("lost");
      };
    },
  });
  const store = new Store(failing, fixedClock(0));
  const vote = (slug: string) =>
    store.transact((tx) => {
      tx.sum([slug], 1n);
      tx.pulse({ kind: "vote", slug, delta: 1 });
    });
  const votes = [store.transact((tx) => tx.set(["first"], 1)), vote("ours"), vote("theirs")];
  await until("they wait", () => commits === 1);
  held.resolve();
  await withoutPauses(() => Promise.all(votes));
  assertEquals(alone, 7);
  assertEquals(
    [counterValue(await store.get(["ours"])), counterValue(await store.get(["theirs"]))],
    [1, 1],
  );
  store.close();
});

Deno.test("a commit waits up to ten seconds for a locked file", async () => {
  const kv = await Deno.openKv(":memory:");
  const { now } = performance;
  let commits = 0;
  let locks = 12;
  let passed = 0;
  const locked = kvWith(kv, {
    async commit(land) {
      if (++commits === 3) passed += 9_000;
      if (commits === 20) passed += 2_000;
      if (commits <= locks) throw new Error("database is locked");
      return await land();
    },
  });
  const store = new Store(locked, fixedClock(0));
  const write = (n: number) => withoutPauses(() => store.transact((tx) => tx.set(["n"], n)));
  performance.now = () => passed;
  try {
    await write(1);
    assertEquals(commits, 13);
    [commits, locks] = [0, 40];
    const error = await assertRejects(() => write(2), DomainError);
    assertEquals([error.code, commits], ["storage_unavailable", 20]);
  } finally {
    performance.now = now;
  }
  assertEquals((await kv.get(["n"])).value, 1);
  store.close();
});

Deno.test("an attempt with unknown outcome can't land after the transaction is retried (invariant 32)", async () => {
  const kv = await Deno.openKv(":memory:");
  const late = Promise.withResolvers<void>();
  let commits = 0;
  const slow = kvWith(kv, {
    commit: (land) => ++commits === 1 ? late.promise.then(land) : land(),
  });
  const store = new Store(slow, fixedClock(0), { deadlineMs: 100 });
  const claim = store.transact(async (tx) => {
    if ((await tx.get(["holder"])).value !== null) return "held";
    tx.set(["holder"], "we");
    return "claimed";
  });
  // Another process sets and deletes the key while the first attempt is pending.
  await until("the first try is sent", () => commits === 1);
  await kv.set(["holder"], "they");
  assertEquals(await claim, "held");
  await kv.delete(["holder"]);
  late.resolve();
  await store.transact((tx) => tx.set(["next"], 1));
  assertEquals((await kv.get(["holder"])).value, null);
  store.close();
});

Deno.test("transact gives up after 40 conflicts with the requested error code", async () => {
  using store = await openStore();
  let runs = 0;
  const meeting = () =>
    store.transact(async (tx) => {
      await tx.get(["n"]);
      await store.transact((other) => other.set(["n"], ++runs));
      tx.set(["n"], -1);
    }, { conflict: "busy" });
  const error = await assertRejects(() => withoutPauses(meeting), DomainError);
  assertEquals([error.code, error.headers, runs], ["busy", { "Retry-After": "1" }, 40]);
});

Deno.test("200 transactions in one queue change one key without a conflict", async () => {
  using store = await openStore();
  let runs = 0;
  await Promise.all(Array.from({ length: 200 }, () =>
    store.transact(async (tx) => {
      runs++;
      const { value } = await tx.get<number>(["n"]);
      tx.set(["n"], (value ?? 0) + 1);
    }, { queue: "n" })));
  assertEquals([(await store.get(["n"])).value, runs], [200, 200]);
});

Deno.test("a queue continues after a transaction that throws", async () => {
  using store = await openStore();
  const failing = store.transact(() => Promise.reject(new Error("no")), { queue: "q" });
  const next = store.transact((tx) => tx.set(["a"], 1), { queue: "q" });
  await assertRejects(() => failing, Error, "no");
  await next;
  assertEquals((await store.get(["a"])).value, 1);
});

Deno.test("changes and pulses are logged, counted and sent to listeners after the commit", async () => {
  using store = await openStore();
  const heard: News[] = [];
  const stop = store.subscribe((news) => heard.push(news));
  await store.transact((tx) => {
    tx.change({ kind: "listing", slug: "a", event: "created" }, { some: "payload" });
    tx.pulse({ kind: "vote", slug: "a", delta: 1 });
    assertEquals(heard, []);
  });
  stop();
  assertEquals(heard.map((news) => news.type), ["change", "pulse"]);
  assertEquals(counterValue(await store.get(storeKeys.revision)), 1);
  const logged = await Array.fromAsync(store.list({ prefix: storeKeys.changes }));
  assertEquals(logged.length, 1);
  assertEquals((await Array.fromAsync(store.list({ prefix: storeKeys.pulses }))).length, 1);
});

Deno.test("every transaction stores the keys it wrote, for backups of a KV server", async () => {
  using store = await openStore();
  const bodies: ((tx: Tx) => void)[] = [
    (tx) => tx.set(["a"], 1),
    (tx) => {
      tx.check({ key: ["c"], versionstamp: null });
      tx.sum(["b"], 1n);
      tx.pulse({ kind: "vote", slug: "a", delta: 1 });
    },
    (tx) => {
      tx.delete(["a"]);
      tx.change({ kind: "listing", slug: "a", event: "created" });
      tx.change({ kind: "listing", slug: "b", event: "created" });
      tx.pulse({ kind: "vote", slug: "a", delta: 1 });
    },
  ];
  const before = new Map<string, string>();
  for (const body of bodies) {
    await store.transact(body);
    const entries = await Array.fromAsync(store.list<Deno.KvKey[]>({ prefix: [] }));
    const written = entries.filter(({ key, versionstamp }) =>
      key[0] !== "markers" && before.get(key.join()) !== versionstamp
    );
    const gone = [...before.keys()].filter((key) => !entries.some((e) => e.key.join() === key));
    const listed = entries.filter((e) => e.key[0] === "markers" && !before.has(e.key.join()));
    assertEquals(
      listed.map(({ value }) => value.map((key) => key.join()).sort()),
      [[...written.map(({ key }) => key.join()), ...gone].sort()],
    );
    before.clear();
    for (const { key, versionstamp } of entries) before.set(key.join(), versionstamp);
  }
});

Deno.test("getMany reads more keys than one KV call allows, in order", async () => {
  using store = await openStore();
  await store.transact((tx) => {
    for (let i = 0; i < 25; i++) tx.set(["k", i], i);
  });
  const entries = await store.getMany<number>(Array.from({ length: 25 }, (_, i) => ["k", i]));
  assertEquals(entries.map((entry) => entry.value), Array.from({ length: 25 }, (_, i) => i));
});

Deno.test("any failure of KV is storage_unavailable", async () => {
  const kv = await Deno.openKv(":memory:");
  const store = new Store(kv, fixedClock(0));
  kv.close();
  const codes: string[] = [];
  for (
    const operation of [
      () => store.get(["a"]),
      () => store.getMany([["a"]]),
      () => Array.fromAsync(store.list({ prefix: [] })),
      () => store.transact((tx) => tx.set(["a"], 1)),
    ]
  ) {
    const failing = () => withoutPauses<unknown>(operation);
    codes.push((await assertRejects(failing, DomainError)).code);
  }
  assertEquals(codes, Array(4).fill("storage_unavailable"));
});

Deno.test("a failed read is retried up to three times", async () => {
  let failures = 0;
  const kv = kvWith(await Deno.openKv(":memory:"), {
    before(method) {
      if (method === "getMany" && failures-- > 0) throw new Error("down");
    },
  });
  using store = Object.assign(new Store(kv, fixedClock(0)), { [Symbol.dispose]: () => kv.close() });
  failures = 3;
  assertEquals((await withoutPauses(() => store.get(["a"]))).value, null);
  failures = 4;
  const error = await assertRejects(() => withoutPauses(() => store.get(["a"])), DomainError);
  assertEquals([error.code, failures], ["storage_unavailable", 0]);
});

Deno.test("a key that is too long for KV has no entry, and doesn't fail other reads", async () => {
  using store = await openStore();
  await store.transact((tx) => tx.set(["a"], 1));
  for (const part of ["x".repeat(2_049), "é".repeat(1_030), "\0".repeat(1_030)]) {
    const long = ["a", part];
    const reads = await Promise.all([
      ...Array.from({ length: 8 }, () => store.get<number>(["a"])),
      ...Array.from({ length: 8 }, () => store.get<number>(long)),
    ]);
    assertEquals(reads.map(({ value }) => value), [...Array(8).fill(1), ...Array(8).fill(null)]);
    const mixed = await store.getMany<number>([long, ["a"], ["b"], long]);
    assertEquals(mixed.map(({ value }) => value), [null, 1, null, null]);
  }
});

Deno.test("a list that KV refuses to start is storage_unavailable", async () => {
  const { kv } = faultKv(await Deno.openKv(":memory:"), { seed: 1, rates: { read_throws: 1 } });
  const store = new Store(kv, fixedClock(0));
  const list = () => Array.fromAsync(store.list({ prefix: [] }));
  assertEquals((await assertRejects(list, DomainError)).code, "storage_unavailable");
  kv.close();
});

Deno.test("a long list yields to waiting work between batches", async () => {
  const kv = await Deno.openKv(":memory:");
  const long = kvWith(kv, {
    async *list() {
      for (let i = 0; i < 1_000; i++) yield { key: [i], value: i, versionstamp: "" };
    },
  });
  const store = new Store(long, fixedClock(0));
  let hadItsTurn = false;
  setImmediate(() => hadItsTurn = true);
  const before: boolean[] = [];
  for await (const _ of store.listBatches({ prefix: [] })) before.push(hadItsTurn);
  assertEquals([before[0], before[1]], [false, true]);
  store.close();
});

Deno.test("log ids sort by time and then by order, and contain their time", () => {
  const ids = [createLogId(5), createLogId(5), createLogId(6), createLogId(1_000_000_000_000)];
  assertEquals(ids.toSorted(), ids);
  assertEquals(ids.map(logIdTime), [5, 5, 6, 1_000_000_000_000]);
  assert(logIdAt(6) > ids[1]! && logIdAt(6) < ids[2]!);
});
