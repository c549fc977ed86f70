import { assertEquals, assertRejects } from "@std/assert";
import { CachedRead, sameButTime } from "@/lib/cache/cached_read.ts";

/** A read whose outcome the test decides. */
function heldReads() {
  const reads: PromiseWithResolvers<string>[] = [];
  const read = () => {
    const held = Promise.withResolvers<string>();
    reads.push(held);
    return held.promise;
  };
  return { reads, read };
}

const text = (value: string) => () => Promise.resolve(value);
const away = () => Promise.reject(new Error("KV is down"));

Deno.test("calls during a read share it, so reads don't queue up while storage hangs", async () => {
  const cached = new CachedRead<string>({ maxAgeMs: 1_000 });
  const { reads, read } = heldReads();
  const asked = [0, 5_000, 10_000].map((now) => cached.get("", now, read));
  cached.drop();
  const dropped = cached.get("", 10_000, read);
  await Promise.resolve();
  assertEquals(reads.length, 1, "reads run one after another");
  reads[0]!.resolve("first");
  assertEquals(await Promise.all(asked), ["first", "first", "first"]);
  reads[1]!.resolve("second");
  assertEquals([await dropped, await cached.get("", 10_999, read)], ["second", "second"]);
});

Deno.test("CachedRead rereads a value that is too old, dropped, under another key or failed to load", async () => {
  const cached = new CachedRead<string>({ maxAgeMs: 1_000 });
  assertEquals(await cached.get("day 1", 0, text("a")), "a");
  assertEquals(await cached.get("day 1", 999, text("b")), "a");
  assertEquals(await cached.get("day 1", 1_000, text("b")), "b");
  assertEquals(await cached.get("day 1", 0, text("c")), "c", "the clock was set back");
  assertEquals(await cached.get("day 2", 0, text("d")), "d");
  cached.drop();
  await assertRejects(() => cached.get("day 2", 0, away), Error, "KV is down");
  assertEquals(await cached.get("day 2", 0, text("e")), "e");
  assertEquals(cached.revision, 1);
});

Deno.test("CachedRead with a maximum age of 0 shares a read in progress, but doesn't keep its value", async () => {
  const cached = new CachedRead<string>({ maxAgeMs: 0 });
  const { reads, read } = heldReads();
  const both = [cached.get("", 0, read), cached.get("", 0, read)];
  await Promise.resolve();
  reads[0]!.resolve("a");
  assertEquals(await Promise.all(both), ["a", "a"]);
  assertEquals(await cached.get("", 0, text("b")), "b");
});

Deno.test("the last value survives failures and drops, but not forget, even one during a read", async () => {
  const cached = new CachedRead<string>({ maxAgeMs: 1_000 });
  assertEquals(cached.last(), undefined);
  await cached.get("day 1", 0, text("a"));
  cached.drop();
  await cached.get("day 1", 0, away).catch(() => {});
  assertEquals([cached.last(), cached.last("day 1"), cached.last("day 2")], ["a", "a", undefined]);
  const { reads, read } = heldReads();
  const reading = cached.get("day 1", 5_000, read);
  await Promise.resolve();
  cached.forget();
  assertEquals([cached.last(), cached.revision], [undefined, 2]);
  reads[0]!.resolve("from before");
  assertEquals([await reading, cached.last()], ["from before", undefined]);
  await cached.get("day 1", 5_000, text("after"));
  assertEquals(cached.last(), "after");
});

Deno.test("sameButTime returns the earlier object unless more than the time differs", () => {
  const before = { count: 1, generatedAt: "10:00" };
  assertEquals(sameButTime(undefined, before), before);
  assertEquals(sameButTime(before, { count: 1, generatedAt: "10:01" }) === before, true);
  assertEquals(sameButTime(before, { count: 2, generatedAt: "10:01" }).count, 2);
});
