import { assert, assertEquals, assertFalse } from "@std/assert";
import { delay } from "@/lib/clock.ts";
import { UnderWay } from "@/lib/under_way.ts";

/** Whether a promise has settled once all that is ready has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(() => settled = true);
  await delay(0);
  return settled;
}

Deno.test("UnderWay counts what has yet to settle, also by rejection", async () => {
  const underWay = new UnderWay();
  const [a, b] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  underWay.add(a.promise);
  underWay.add(b.promise);
  assertEquals(underWay.count, 2);
  a.resolve();
  b.promise.catch(() => {});
  b.reject(new Error("refused"));
  await underWay.settled();
  assertEquals(underWay.count, 0);
});

Deno.test("UnderWay.settled waits for what is under way, for every caller, and not for what comes later", async () => {
  const underWay = new UnderWay();
  assert(await isSettled(underWay.settled()), "nothing is under way");
  const [a, b] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  underWay.add(a.promise);
  const first = underWay.settled();
  const second = underWay.settled();
  underWay.add(b.promise);
  assertFalse(await isSettled(first));
  assertFalse(await isSettled(second), "the second caller waits for the same");
  a.resolve();
  assert(await isSettled(first));
  assert(await isSettled(second));
  const third = underWay.settled();
  assertEquals(underWay.count, 1);
  assertFalse(await isSettled(third));
  b.resolve();
  assert(await isSettled(third));
});
