import { assertEquals } from "@std/assert";
import { RepeatedMap } from "@/lib/repeated_map.ts";

Deno.test("a repeated map keeps what is set for a second time, and whatever replaces it", () => {
  const map = new RepeatedMap<number>(10, () => 1);
  const after = (value: number) => (map.set("a", value), map.get("a"));
  assertEquals([after(1), after(2), after(3)], [undefined, 2, 3]);
});

Deno.test("a repeated map forgets what was set once when thousands of others were", () => {
  const isKept = (others: number) => {
    const map = new RepeatedMap<null>(10, () => 1);
    map.set("first", null);
    for (let i = 0; i < others; i++) map.set(`${i}`, null);
    map.set("first", null);
    return map.has("first");
  };
  assertEquals([isKept(3_999), isKept(4_000)], [true, false]);
});

Deno.test("a repeated map keeps no long key, so that what it remembers is bounded too", () => {
  const isKept = (length: number) => {
    const map = new RepeatedMap<null>(10, () => 1);
    for (let i = 0; i < 3; i++) map.set("y".repeat(length), null);
    return map.has("y".repeat(length));
  };
  assertEquals([isKept(1_500), isKept(1_501)], [true, false]);
});
