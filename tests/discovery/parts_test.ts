import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Bitmap } from "@/lib/discovery/bitmap.ts";
import { walk, WHOLE } from "@/lib/discovery/parts.ts";
import { SortedSlots } from "@/lib/discovery/sorted_slots.ts";

/** Slots 0 to `count` in an order that has nothing to do with their numbers. */
function orderOf(count: number): SortedSlots {
  const key = (slot: number) => (slot * 7919) % 10_007;
  const order = new SortedSlots((a, b) => key(a) < key(b));
  order.startBulk();
  for (let slot = 0; slot < count; slot++) order.insert(slot);
  order.resort();
  return order;
}

// At 3,000 slots three members are few, at 40 none are.
const ORDERS = [40, 3_000].map(orderOf);

Deno.test("walk finds any part of any members as filtering the whole order does", () => {
  fc.assert(fc.property(
    fc.constantFrom(...ORDERS),
    fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 3_000 })),
    // Neighbours by number, so that their bitmap may be shorter than the order's slots need.
    fc.nat({ max: 3_000 }),
    fc.record({ offset: fc.nat({ max: 200 }), limit: fc.integer({ min: 1, max: 100 }) }),
    fc.boolean(),
    (order, count, first, { offset, limit }, fromTheEnd) => {
      const slots = Array.from({ length: count }, (_, i) => (first + i) % order.length);
      const members = Bitmap.of([...new Set(slots)]);
      const all = [...order.slots()].filter((slot) => members.has(slot));
      const from = fromTheEnd ? Math.max(0, all.length - offset) : offset;
      assertEquals(walk(order, members, { offset: from, limit }), {
        slots: all.slice(from, from + limit),
        total: all.length,
      });
      assertEquals(walk(order, members, WHOLE).slots, all);
    },
  ));
});
