import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { BoundedMap } from "@/lib/bounded_map.ts";

Deno.test("a bounded map holds what comes to its bound, and lets go of what it held longest", () => {
  const map = new BoundedMap<string>(5, ({ length }) => length);
  map.set("a", "11");
  map.set("b", "22");
  map.set("a", "333");
  assertEquals([map.get("a"), map.get("b")], ["333", "22"]);
  map.set("c", "4");
  assertEquals([map.has("a"), map.get("b"), map.get("c")], [false, "22", "4"]);
  map.set("d", "too long for it");
  assertEquals([map.has("b"), map.has("c"), map.get("d")], [false, false, "too long for it"]);
  map.set("e", "5");
  assertEquals([map.has("d"), map.get("e")], [false, "5"]);
});

Deno.test("a bounded map counts right whatever is replaced", () => {
  const step = fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.integer({ min: 0, max: 4 }));
  fc.assert(fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
    const map = new BoundedMap<number>(6, (size) => size);
    for (const [key, size] of steps) {
      map.set(key, size);
      const held = ["a", "b", "c", "d"].map((key) => map.get(key) ?? 0);
      assertEquals(map.get(key), size);
      assert(held.reduce((sum, size) => sum + size, 0) <= 6);
    }
    // Emptied, it has room for all: nothing that is gone is counted still.
    for (const key of ["a", "b", "c", "d"]) map.set(key, 0);
    map.set("x", 3);
    map.set("y", 3);
    assertEquals([map.get("x"), map.get("y")], [3, 3]);
  }));
});
