import { assert, assertEquals, assertRejects } from "@std/assert";
import { atMost } from "@/lib/clock.ts";
import { Asker, attempt } from "@/lib/kv/attempt.ts";

/** An operation that responds after `ms`. */
function after<T>(ms: number, value: T): () => Promise<T> {
  return () => new Promise((resolve) => setTimeout(() => resolve(value), ms));
}

Deno.test("attempt and atMost pass on errors, and leave no timer", async () => {
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Set<unknown>();
  try {
    globalThis.setTimeout = ((run: () => void, ms: number) => {
      const timer = setTimeout(run, ms);
      if (ms === 60_000) timers.add(timer);
      return timer;
    }) as typeof setTimeout;
    globalThis.clearTimeout = (timer) => {
      timers.delete(timer);
      clearTimeout(timer);
    };
    const thrown = () => {
      throw new Error("at once");
    };
    await assertRejects(() => attempt(thrown, 60_000), Error, "at once");
    await assertRejects(
      () => attempt(() => Promise.reject(new Error("later")), 60_000),
      Error,
      "later",
    );
    await assertRejects(() => atMost(60_000, Promise.reject(new Error("later"))), Error, "later");
    assertEquals(await attempt(() => Promise.resolve(1), 60_000), 1);
    assertEquals(timers.size, 0);
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
});

Deno.test("attempt gives each operation its own deadline, regardless of others", async () => {
  const started = performance.now();
  const passed: number[] = [];
  const operations = [0, 20, 40].map(async (delay) => {
    await after(delay, null)();
    await assertRejects(() => attempt(() => new Promise(() => {}), 50), Error, "timed out");
    passed.push(performance.now() - started - delay);
  });
  const quick = await Promise.all([after(1, "a"), after(30, "b")].map((op) => attempt(op, 50)));
  await Promise.all(operations);
  assertEquals(quick, ["a", "b"]);
  assertEquals(passed.length, 3);
  for (const ms of passed) assert(ms >= 49 && ms < 1_000, `${ms} ms`);
});

Deno.test("attempt times out only the hanging operations among thousands", async () => {
  const others: Promise<number>[] = [];
  const hanging: Promise<unknown>[] = [];
  for (let i = 0; i < 5_000; i++) {
    // All operations before those in the middle finish and are forgotten.
    const hangs = i === 2_500 || i === 2_501 || i === 4_999;
    if (hangs) hanging.push(assertRejects(() => attempt(() => new Promise(() => {}), 150)));
    else others.push(attempt(after(i % 7, i), 150));
  }
  assertEquals((await Promise.all(others)).length, 4_997);
  await Promise.all(hanging);
  const first = assertRejects(() => attempt(() => new Promise(() => {}), 150));
  for (let i = 0; i < 50; i++) await attempt(after(0, i), 150);
  await first;
});

Deno.test("an unresponsive KV gets up to sixteen operations, then none until it responds to one", async () => {
  const sent: PromiseWithResolvers<number>[] = [];
  const operation = () => {
    sent.push(Promise.withResolvers<number>());
    return sent.at(-1)!.promise;
  };
  const asker = new Asker(20);
  const ask = () => assertRejects(() => asker.ask(operation), Error, "timed out");
  for (let i = 0; i < 20; i++) await ask();
  assertEquals(sent.length, 16);
  sent[3]!.resolve(1);
  await sent[3]!.promise;
  const answer = asker.ask(operation);
  assertEquals(sent.length, 17);
  sent[16]!.resolve(2);
  assertEquals(await answer, 2);
  for (let i = 0; i < 15; i++) await ask();
  assertEquals(await asker.ask(() => Promise.resolve(3)), 3);
  for (let i = 0; i < 15; i++) await ask();
  assertEquals(sent.length, 47, "a response resets the count");
});

Deno.test("an unresponsive KV is retried every two minutes", async () => {
  const real = performance.now;
  let passed = 0;
  performance.now = () => real.call(performance) + passed;
  try {
    let sent = 0;
    const asker = new Asker(20);
    const ask = () =>
      assertRejects(() => asker.ask(() => new Promise(() => sent++)), Error, "timed out");
    for (let i = 0; i < 18; i++) await ask();
    assertEquals(sent, 16);
    for (const more of [119_000, 1_000, 119_000, 1_000]) {
      passed += more;
      await ask();
      await ask();
    }
    assertEquals(sent, 18);
  } finally {
    performance.now = real;
  }
});
