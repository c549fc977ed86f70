import { assertEquals } from "@std/assert";
import { Lru } from "@/lib/cache/lru.ts";

function keysOf<V>(lru: Lru<V>, keys: string): string {
  return [...keys].filter((key) => lru.get(key) !== undefined).join("");
}

Deno.test("Lru forgets what was used least recently, by reading or by setting", () => {
  const lru = new Lru<number>({ max: 3 });
  for (const key of "abc") lru.set(key, 1);
  lru.get("a");
  lru.get("a");
  lru.set("b", 2);
  lru.set("d", 1);
  assertEquals(keysOf(lru, "abcd"), "abd");
  assertEquals(lru.get("b"), 2);
});

Deno.test("Lru ends a value with its revision, and keeps one for each key", () => {
  const lru = new Lru<string>({ max: 10 });
  assertEquals(lru.set("a", "first", 1), "first");
  assertEquals(lru.get("a", 1), "first");
  assertEquals([lru.get("a", 2), lru.get("a")], [undefined, undefined]);
  lru.set("a", "second", "2 hot");
  assertEquals([lru.get("a", 1), lru.get("a", "2 hot")], [undefined, "second"]);
});

Deno.test("Lru counts sizes: of what is replaced, deleted and too large as well", () => {
  const lru = new Lru<string>({ max: 10, sizeOf: (value, key) => value.length + key.length });
  lru.set("a", "1234");
  lru.set("a", "12");
  lru.set("b", "123456");
  assertEquals(keysOf(lru, "ab"), "ab", "3 and 7 fit into 10");
  lru.set("c", "1234567890");
  assertEquals(keysOf(lru, "abc"), "ab", "what never fits pushes nothing out");
  lru.set("b", "1234567890");
  assertEquals(keysOf(lru, "ab"), "a", "an old value does not outlive one that is too large");
  lru.delete("a");
  lru.delete("a");
  lru.set("d", "123456789");
  assertEquals(keysOf(lru, "ad"), "d");
});
