import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { bitCount, Bitmap } from "@/lib/discovery/bitmap.ts";

const numbers = fc.oneof(
  fc.array(fc.nat({ max: 40 })),
  fc.array(fc.nat({ max: 5_000 }), { maxLength: 300, size: "max" }),
);

function sorted(members: Iterable<number>): Uint32Array {
  return Uint32Array.from(members).sort();
}

Deno.test("Bitmap keeps the numbers that are added and not deleted", () => {
  fc.assert(fc.property(numbers, numbers, (added, deleted) => {
    const bitmap = Bitmap.of(added);
    for (const number of deleted) bitmap.delete(number);
    const left = new Set(added).difference(new Set(deleted));
    assertEquals(bitmap.members(), sorted(left));
    assertEquals(bitmap.size, left.size);
    for (const number of [...added, ...deleted]) assertEquals(bitmap.has(number), left.has(number));
  }));
});

Deno.test("intersect leaves what all sets have, whatever was there before", () => {
  const target = new Bitmap();
  const all = Array.from({ length: 6_000 }, (_, number) => number);
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 2, maxLength: 4 }), (lists) => {
      const common = lists.map((list) => new Set(list)).reduce((a, b) => a.intersection(b));
      assertEquals(target.intersect(lists.map(Bitmap.of)).members(), sorted(common));
      assertEquals(target.size, common.size);
      assertEquals(all.filter((number) => target.has(number)), [...sorted(common)]);
    }),
    { examples: [[[[1_030], [1_030]]], [[[1], [1], [1, 1_030]]]] },
  );
});

Deno.test("bitCount counts the bits of any word", () => {
  fc.assert(fc.property(fc.integer(), (word) => {
    assertEquals(bitCount(word), (word >>> 0).toString(2).replaceAll("0", "").length);
  }));
});

Deno.test("skip and skipBack end with the list, where it has too few members", () => {
  const list = Uint32Array.of(5, 9, 7, 1_000_000);
  const bitmap = Bitmap.of([7, 9]);
  assertEquals([1, 2, 3].map((count) => bitmap.skip(list, 0, count)), [2, 3, 4]);
  assertEquals([1, 2, 3].map((count) => bitmap.skipBack(list, 3, count)), [1, 0, -1]);
});

Deno.test("pick writes those of a list that are members, in the order of the list", () => {
  const into = new Uint32Array(4);
  const count = Bitmap.of([7, 9, 11]).pick(Uint32Array.of(9, 5, 7, 1_000_000), into);
  assertEquals([...into.subarray(0, count)], [9, 7]);
});
