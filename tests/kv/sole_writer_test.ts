import { assertEquals } from "@std/assert";
import { storeKeys } from "@/lib/kv/keys.ts";
import { Store } from "@/lib/kv/store.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { kvWith } from "../support/kv_with.ts";

/** A store, and how to lose the answer of its next commit once it has landed. */
async function setUp(sharedMs = 0) {
  const kv = await Deno.openKv(":memory:");
  const faults = { next: false, commits: 0 };
  const wrapped = kvWith(kv, {
    async commit(land) {
      faults.commits++;
      const result = await land();
      if (!faults.next) return result;
      faults.next = false;
      throw new Error("lost");
    },
  });
  const store = new Store(wrapped, fixedClock(0), { sharedMs });
  /** The term in which a transaction lands that logs something, or not. */
  const write = async (key: string, logged = true): Promise<number | null> => {
    let term: number | null | undefined;
    await store.transact((tx) => {
      tx.set([key], 1);
      if (logged) tx.pulse({ kind: "vote", slug: key, delta: 1 });
      return tx;
    }).then((tx) => term = tx.term);
    return term!;
  };
  /** As another process does. */
  const elsewhere = () => kv.atomic().sum([...storeKeys.revision], 1n).commit();
  return { kv, store, faults, write, elsewhere, [Symbol.dispose]: () => kv.close() };
}

Deno.test("a term begins with a reading of the revision and lasts while nobody else logs anything", async () => {
  using w = await setUp();
  assertEquals(await w.write("a"), null);
  await w.store.foreignRevision();
  assertEquals([await w.write("b"), await w.write("c", false), await w.write("d")], [1, 1, 1]);
  const landed = await Promise.all(Array.from({ length: 30 }, (_, i) => w.write(`e${i}`)));
  assertEquals(new Set(landed), new Set([1]));
  await w.store.foreignRevision();
  assertEquals(await w.write("f"), 1);
  assertEquals(w.store.term, 1);
});

Deno.test("a commit after another process's lands outside of the term, and with the next one begins another", async () => {
  using w = await setUp();
  await w.store.foreignRevision();
  assertEquals(await w.write("a"), 1);
  await w.elsewhere();
  // Also one that logs nothing finds out.
  assertEquals(await w.write("b", false), null);
  assertEquals(w.store.term, null);
  await w.store.foreignRevision();
  assertEquals(await w.write("c"), 2);
});

Deno.test("a process takes itself for one of several for a while once another has written", async () => {
  using w = await setUp(60_000);
  await w.store.foreignRevision();
  await w.elsewhere();
  assertEquals(await w.write("a"), null);
  await w.store.foreignRevision();
  assertEquals([w.store.term, await w.write("b")], [null, null]);
});

Deno.test("a conflict of a group's members among themselves does not end the term", async () => {
  using w = await setUp();
  await w.store.foreignRevision();
  await w.write("first");
  const late = await w.store.get(["taken"]);
  await w.write("taken");
  let tries = 0;
  const conflicting = w.store.transact(async (tx) => {
    tx.check(tries++ === 0 ? late : await tx.peek(["taken"]));
    tx.set(["taken"], 2);
    return tx;
  });
  const others = Array.from({ length: 8 }, (_, i) => w.write(`k${i}`));
  assertEquals([(await conflicting).term, ...await Promise.all(others)], Array(9).fill(1));
  assertEquals([tries, w.store.term], [2, 1]);
});

Deno.test("a commit whose answer was lost ends the term: it may have landed at any time", async () => {
  using w = await setUp();
  await w.store.foreignRevision();
  await w.write("a");
  w.faults.next = true;
  assertEquals(await w.write("b"), null);
  assertEquals([await w.write("c"), w.store.term], [null, null]);
});

for (const [checks, logged] of [[99, false], [98, true]] as const) {
  const what = `${checks} keys${logged ? ", a change and a pulse" : ""}`;
  Deno.test(`a transaction with as many checks as KV takes is committed in a term too: ${what}`, async () => {
    using w = await setUp();
    await w.store.foreignRevision();
    await w.store.transact(async (tx) => {
      await tx.getMany(Array.from({ length: checks }, (_, i) => ["k", i]));
      tx.set(["k", 0], 1);
      if (!logged) return;
      tx.change({ kind: "site", slug: "a", event: "b" });
      tx.pulse({ kind: "vote", slug: "a", delta: 1 });
    });
    assertEquals((await w.store.get(["k", 0])).value, 1);
  });
}
