import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Lru } from "@/lib/cache/lru.ts";

function keysOf<V>(lru: Lru<V>, keys: string): string {
  return [...keys].filter((key) => lru.get(key) !== undefined).join("");
}

Deno.test("Lru drops a value when its revision changes, and keeps one value per key", () => {
  const lru = new Lru<string>({ max: 10 });
  assertEquals(lru.set("a", "first", 1), "first");
  assertEquals(lru.get("a", 1), "first");
  assertEquals([lru.get("a", 2), lru.get("a")], [undefined, undefined]);
  lru.set("a", "second", "2 hot");
  assertEquals([lru.get("a", 1), lru.get("a", "2 hot")], [undefined, "second"]);
  lru.delete("a");
  assertEquals(lru.get("a", "2 hot"), undefined);
});

Deno.test("Lru evicts the entry that was read or set least recently", () => {
  const lru = new Lru<number>({ max: 6 });
  for (const key of "abcd") lru.set(key, 1);
  lru.get("a");
  lru.set("b", 2);
  lru.set("e", 1);
  assertEquals(keysOf(lru, "cf"), "");
  assertEquals(keysOf(lru, "abe"), "abe");
  assertEquals(lru.get("b"), 2);
});

Deno.test("Lru stops counting replaced and deleted values, and keeps a value larger than its limit", () => {
  const lru = new Lru<string>({ max: 20, sizeOf: (value, key) => value.length + key.length });
  lru.set("old", "1");
  for (let i = 0; i < 100; i++) {
    lru.set("a", "12");
    lru.set("b", "1");
    lru.delete("b");
  }
  assertEquals([lru.get("old"), lru.get("a")], ["1", "12"]);
  lru.set("large", "x".repeat(100));
  assertEquals(lru.get("large")?.length, 100);
});

Deno.test("Lru keeps the latest values up to half its limit, and never exceeds its limit", () => {
  const use = fc.record({ key: fc.constantFrom(..."abcdefghij"), isSet: fc.boolean() });
  fc.assert(fc.property(fc.array(use, { maxLength: 80, size: "max" }), (uses) => {
    const lru = new Lru<string>({ max: 8 });
    const order: string[] = [];
    for (const { key, isSet } of uses) {
      const isKept = lru.get(key) !== undefined;
      if (order.slice(-3).includes(key)) assert(isKept);
      if (isSet) lru.set(key, key);
      if (!isSet && !isKept) continue;
      if (order.includes(key)) order.splice(order.indexOf(key), 1);
      order.push(key);
    }
    assert(keysOf(lru, "abcdefghij").length <= 8);
  }));
});
