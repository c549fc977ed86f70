import { assert, assertEquals, assertRejects } from "@std/assert";
import { DAY_MS, delay, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { DomainError } from "@/lib/errors.ts";
import { OPERATION_DEADLINE_MS } from "@/lib/kv/attempt.ts";
import { SETTLE_MS } from "@/lib/kv/commit.ts";
import { SERVER_CHECKS_MAX } from "@/lib/kv/group_commit.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { PATIENCE_MS } from "@/lib/kv/retry.ts";
import { counterValue, type Pulse, Store, type Tx } from "@/lib/kv/store.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { kvWith } from "../support/kv_with.ts";
import { until } from "../support/until.ts";

/** A store that counts its KV calls. */
async function countingStore(options: { checksMax?: number } = {}) {
  const kv = await Deno.openKv(":memory:");
  const calls = { commits: 0, reads: 0, sums: 0, mostChecks: 0 };
  /**
   * What happens to the next commit: it throws before or after it lands, or it is repeated unseen, as
   * the client of a KV server does, and returns the second result.
   */
  const faults: ("before" | "after" | "repeated" | "locked" | "none")[] = [];
  const counted = kvWith(kv, {
    before(method) {
      if (method === "getMany") calls.reads++;
    },
    operation(operation) {
      let checks = 0;
      const { check, sum, commit } = operation;
      operation.check = (...entries) => (checks += entries.length, check.apply(operation, entries));
      operation.sum = (key, amount) => (calls.sums++, sum.call(operation, key, amount));
      operation.commit = async () => {
        calls.commits++;
        calls.mostChecks = Math.max(calls.mostChecks, checks);
        const fault = faults.shift();
        if (fault === "before") throw new Error("lost");
        if (fault === "locked") throw new Error("database is locked");
        if (fault === "repeated") await commit.call(operation);
        const result = await commit.call(operation);
        if (fault === "after") throw new Error("lost");
        return result;
      };
    },
  });
  const store = new Store(counted, fixedClock(0), options);
  return Object.assign(store, { calls, faults, [Symbol.dispose]: () => store.close() });
}

Deno.test("waiting transactions share commits, and each takes effect once", async () => {
  using store = await countingStore();
  await Promise.all(Array.from({ length: 100 }, (_, i) =>
    store.transact((tx) => {
      tx.set(["k", i], i);
      tx.sum(["n"], 1n);
    })));
  assertEquals(counterValue(await store.get(["n"])), 100);
  assert(store.calls.commits < 40, `${store.calls.commits} commits`);
  // A group adds to each counter only once.
  assertEquals(store.calls.sums, store.calls.commits);
});

Deno.test("up to 32 waiting transactions share the next commit", async () => {
  for (const [waiting, commits] of [[8, 1], [32, 1], [64, 2]] as const) {
    using store = await countingStore();
    const add = () => store.transact((tx) => tx.sum(["n"], 1n));
    await Promise.all(Array.from({ length: 1 + waiting }, add));
    assertEquals(counterValue(await store.get(["n"])), 1 + waiting);
    assertEquals(store.calls.commits, 1 + commits);
  }
});

Deno.test("a transaction with as many checks as KV allows doesn't break those waiting behind it", async () => {
  for (const checks of [96, 97, 98, 99]) {
    using store = await countingStore();
    const write = (name: string, count: number) =>
      store.transact((tx) => {
        for (let i = 0; i < count; i++) tx.check({ key: [name, i], versionstamp: null });
        tx.set([name], name);
      });
    await Promise.all([write("first", 1), write("large", checks), write("a", 1), write("b", 1)]);
    for (const name of ["first", "large", "a", "b"]) {
      assertEquals((await store.get([name])).value, name, `${checks} checks`);
    }
  }
});

Deno.test("a sum and a write of the same key in one transaction take effect in order", async () => {
  using store = await countingStore();
  await store.transact((tx) => {
    tx.sum(["a"], 5n);
    tx.set(["a"], new Deno.KvU64(1n));
    tx.sum(["a"], 1n);
    tx.sum(["b"], 2n);
    tx.sum(["b"], 2n);
    tx.sum(["c"], 7n);
    tx.delete(["c"]);
  });
  const counts = await store.getMany([["a"], ["b"], ["c"]]);
  assertEquals(counts.map(counterValue), [2, 4, 0]);
});

Deno.test("a waiting sum and write of the same key both take effect, in order", async () => {
  const write = (tx: Tx) => tx.set(["n"], new Deno.KvU64(10n));
  const add = (tx: Tx) => tx.sum(["n"], 2n);
  const orders: [string, ((tx: Tx) => void)[], number][] = [
    ["the sum first", [add, write], 10],
    ["the write first", [write, add], 12],
  ];
  for (const [what, bodies, expected] of orders) {
    using store = await countingStore();
    const busy = store.transact((tx) => tx.set(["busy"], 1));
    await Promise.all([busy, ...bodies.map((body) => store.transact(body))]);
    assertEquals(counterValue(await store.get(["n"])), expected, what);
  }
});

Deno.test("only one of several waiting transactions adds to a key that they all found absent", async () => {
  using store = await countingStore();
  let reads = 0;
  const addFirst = () =>
    store.transact(async (tx) => {
      const { value } = await tx.get(["n"]);
      reads++;
      if (value === null) tx.sum(["n"], 1n);
    });
  const back = Promise.withResolvers<void>();
  const busy = store.betweenCommits(() => back.promise);
  const adding = Array.from({ length: 8 }, addFirst);
  await until("they have read", () => reads === 8);
  back.resolve();
  await Promise.all([busy, ...adding]);
  assertEquals(counterValue(await store.get(["n"])), 1);
});

Deno.test("a group has no more checks than KV allows", async () => {
  // Each transaction has one more check, for its marker.
  for (
    const { checks, most, checksMax } of [
      { checks: 30, most: 3 * 31 },
      { checks: 9, most: 10 * 10 },
      { checks: 4, most: 2 * 5, checksMax: SERVER_CHECKS_MAX },
    ]
  ) {
    using store = await countingStore({ checksMax });
    const keys = (i: number) => Array.from({ length: checks }, (_, part) => ["k", i, part]);
    await Promise.all(Array.from({ length: 40 }, (_, i) =>
      store.transact((tx) => {
        for (const key of keys(i)) tx.check({ key, versionstamp: null });
        tx.set(["k", i, 0], i);
      })));
    for (let i = 0; i < 40; i++) assertEquals((await store.get(["k", i, 0])).value, i);
    assertEquals(store.calls.mostChecks, most);
  }
});

Deno.test("an outdated check fails, even if others in its group have the current version", async () => {
  using store = await countingStore();
  await store.kv.atomic().set(["k"], "old").commit();
  const old = await store.get(["k"]);
  await store.kv.atomic().set(["k"], "new").commit();
  const now = await store.get(["k"]);
  const runs: string[] = [];
  const write = (id: string, first: Deno.KvEntryMaybe<unknown>) =>
    store.transact(async (tx) => {
      tx.check(runs.includes(id) ? await tx.peek(["k"]) : first);
      runs.push(id);
      tx.set(["by", id], true);
    });
  // The first is committed by itself; the others wait, and are grouped.
  const absent = { key: ["k"], value: null, versionstamp: null };
  await Promise.all([
    ...["a", "b", "c"].map((id) => write(id, now)),
    write("absent", absent),
    write("old", old),
    ...["d", "e"].map((id) => write(id, now)),
  ]);
  assertEquals(runs.filter((id) => id === "old").length, 2);
  assertEquals(runs.filter((id) => id === "absent").length, 2);
  assertEquals(runs.filter((id) => id === "d").length, 1);
});

for (const fault of ["before", "after", "repeated"] as const) {
  for (const logged of [true, false]) {
    const how = logged ? "identified by log entries" : "identified by markers";
    Deno.test(`a group whose commit response is lost (${fault}) takes effect once, ${how}`, async () => {
      using store = await countingStore();
      const told: string[] = [];
      store.subscribe((news) => news.type === "pulse" && told.push(news.pulse.slug));
      store.faults.push(...Array(6).fill(fault));
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          store.transact((tx) => {
            tx.set(["k", i], i);
            tx.sum(["n"], 1n);
            if (logged) tx.pulse({ kind: "vote", slug: `${i}`, delta: 1 });
            return i;
          })),
      );
      assertEquals(outcomes, Array.from({ length: 40 }, (_, i) => i));
      assertEquals(store.faults, []);
      assertEquals(counterValue(await store.get(["n"])), 40);
      if (!logged) return;
      assertEquals(counterValue(await store.get([...storeKeys.revision])), 40);
      const entries = await Array.fromAsync(store.list<Pulse[]>({ prefix: storeKeys.pulses }));
      const slugs = entries.flatMap(({ value }) => value).map(({ slug }) => Number(slug));
      assertEquals(slugs.toSorted((a, b) => a - b), outcomes);
      assertEquals(told.map(Number).toSorted((a, b) => a - b), outcomes);
    });
  }
}

Deno.test("a transaction whose check fails doesn't block its group", async () => {
  using store = await countingStore();
  await store.transact((tx) => tx.set(["taken"], 0));
  let runs = 0;
  const others = Array.from(
    { length: 20 },
    (_, i) => store.transact((tx) => tx.set(["k", i], i)),
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

Deno.test("50 concurrent increments of one key add up to 50", async () => {
  using store = await countingStore();
  await Promise.all(Array.from({ length: 50 }, () =>
    store.transact(async (tx) => {
      const { value } = await tx.get<number>(["n"]);
      tx.set(["n"], (value ?? 0) + 1);
    })));
  assertEquals((await store.get(["n"])).value, 50);
});

Deno.test("a transaction whose key or value KV rejects fails without its group", async () => {
  using store = await countingStore();
  const write = (key: string, value: string) => store.transact((tx) => tx.set([key], value));
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 12 }, (_, i) => write(`a${i}`, "small")),
    write("big", "x".repeat(70_000)),
    write("k".repeat(3_000), "small"),
    ...Array.from({ length: 12 }, (_, i) => write(`b${i}`, "small")),
  ]);
  const refused = outcomes.flatMap(({ status }, i) => status === "rejected" ? [i] : []);
  assertEquals(refused, [12, 13]);
  for (const i of refused) {
    const { reason } = outcomes[i] as PromiseRejectedResult;
    assert(reason instanceof TypeError, "not a storage failure, which would be worth retrying");
  }
  for (const key of ["a0", "a11", "b0", "b11"]) {
    assertEquals((await store.get([key])).value, "small");
  }
});

Deno.test("listeners hear of a write that lands after its outcome was reported as unknown", async () => {
  const kv = await Deno.openKv(":memory:");
  const back = Promise.withResolvers<void>();
  const away = kvWith(kv, {
    get: (key) => back.promise.then(() => kv.get(key)),
    commit: (land) => back.promise.then(land),
  });
  const store = new Store(away, fixedClock(0), { deadlineMs: 2, settleMs: 5 });
  const told: unknown[] = [];
  store.subscribe((news) => {
    const { kind, slug } = news.type === "change" ? news.change : news.pulse;
    const payload = news.type === "change" ? news.payload : undefined;
    told.push([news.type, kind, slug, news.foreign, payload]);
  });
  const vote = (slug: string) =>
    store.transact((tx) => {
      tx.sum(["n"], 1n);
      tx.pulse({ kind: "vote", slug, delta: 1 });
    });
  const edit = store.transact((tx) => {
    tx.change({ kind: "listing", slug: "d", event: "edited" }, "what is old by then");
  });
  // One by itself, and others that share a commit.
  const outcomes = await Promise.allSettled([...["a", "b", "c"].map(vote), edit]);
  assertEquals(outcomes.map(({ status }) => status), Array(4).fill("rejected"));
  assertEquals(told, []);
  back.resolve();
  while (told.length < 4) await delay(1);
  assertEquals(told.sort(), [
    ["change", "listing", "d", true, undefined],
    ...["a", "b", "c"].map((slug) => ["pulse", "vote", slug, true, undefined]),
  ]);
  assertEquals(counterValue(await store.get(["n"])), 3);
  store.close();
});

Deno.test("a log entry with only clicks is kept for an hour, and one with a vote for longer", async () => {
  const kept: unknown[] = [];
  const kv = kvWith(await Deno.openKv(":memory:"), {
    operation(operation) {
      const { set } = operation;
      operation.set = (key, value, options) => {
        if (key[0] === "pulses") kept.push(options?.expireIn);
        return set.call(operation, key, value, options);
      };
    },
  });
  const store = new Store(kv, fixedClock(0));
  for (const kinds of [["click"], ["click", "click"], ["click", "vote"], ["check_in"]] as const) {
    await store.transact((tx) => {
      for (const kind of kinds) tx.pulse({ kind, slug: "a", delta: 1 });
    });
  }
  assertEquals(kept, [HOUR_MS, HOUR_MS, 25 * HOUR_MS, 25 * HOUR_MS]);
  store.close();
});

Deno.test("the void of an abandoned write outlasts requests delayed by the network", async () => {
  const kv = await Deno.openKv(":memory:");
  const voids: unknown[] = [];
  let commits = 0;
  const failing = kvWith(kv, {
    operation(operation) {
      const { set } = operation;
      operation.set = (key, value, options) => {
        if (value === false) voids.push(options?.expireIn);
        return set.call(operation, key, value, options);
      };
    },
    async commit(land) {
      if (++commits <= 8) throw new Error("lost");
      return await land();
    },
  });
  const store = new Store(failing, fixedClock(0));
  const write = () => store.transact((tx) => tx.sum(["n"], 1n));
  assertEquals((await assertRejects(write, DomainError)).code, "storage_unavailable");
  assertEquals(voids, [DAY_MS]);
  store.close();
});

Deno.test("a write that landed succeeds, even if KV is down while its outcome is checked (invariant 32)", async () => {
  const kv = await Deno.openKv(":memory:");
  /** Expiring keys that were set, and after how long they expire. */
  const expiring: { key: Deno.KvKey; after: number }[] = [];
  let isAway = false;
  let commits = 0;
  const failing = kvWith(kv, {
    get: (key) => isAway ? Promise.reject(new Error("away")) : kv.get(key),
    operation(operation) {
      const { set } = operation;
      operation.set = (key, value, options) => {
        if (options?.expireIn !== undefined) expiring.push({ key, after: options.expireIn });
        return set.call(operation, key, value, options);
      };
    },
    async commit(land) {
      commits++;
      if (isAway) throw new Error("away");
      const result = await land();
      isAway = commits === 1;
      if (isAway) throw new Error("lost");
      return result;
    },
  });
  const store = new Store(failing, fixedClock(0));
  const write = store.transact((tx) => tx.sum(["n"], 1n));
  // There are no more attempts: the tenth commit is to void the marker.
  await until("the void is tried", () => commits >= 10);
  assertEquals(expiring[0]?.after, 3 * MINUTE_MS, "no marker stays for good");
  // It may retry for ten seconds, then check for a minute, and its last operations may take five each.
  const longest = PATIENCE_MS + SETTLE_MS + 6 * OPERATION_DEADLINE_MS;
  for (const { key, after } of expiring) if (after <= longest) await kv.delete(key);
  isAway = false;
  await write.catch((error) => {
    throw new Error(`it landed, and was answered ${error.code}`);
  });
  assertEquals(counterValue(await store.get(["n"])), 1);
  store.close();
});
