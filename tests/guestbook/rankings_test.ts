import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ranked } from "@/lib/guestbook/rankings.ts";

interface Entry {
  key: string;
  count: number;
  spelling: number;
}

const order = (a: Entry, b: Entry) => b.count - a.count || (a.key < b.key ? -1 : 1);

Deno.test("ranked keeps the same top entries as sorting all of them", () => {
  const rises = fc.array(fc.record({ key: fc.constantFrom(..."abcdefgh"), by: fc.nat(2) }));
  fc.assert(fc.property(fc.integer({ min: 1, max: 5 }), rises, (max, rises) => {
    const all = new Map<string, Entry>();
    let leading: readonly Entry[] = [];
    for (const [spelling, { key, by }] of rises.entries()) {
      const entry = { key, count: (all.get(key)?.count ?? 0) + by, spelling };
      all.set(key, entry);
      leading = ranked(leading, entry, { max, order });
    }
    assertEquals(leading, [...all.values()].sort(order).slice(0, max));
  }));
});
