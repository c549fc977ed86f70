import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Top } from "@/lib/top.ts";

interface Entry {
  id: string;
  count: number;
  /** As a name is spelled: an entry that only changes this ranks as before, and the new one is kept. */
  text: number;
}

const isBefore = (a: Entry, b: Entry) => a.count > b.count || (a.count === b.count && a.id < b.id);

Deno.test("Top keeps the first of all entries that came and rose, as sorting them all does", () => {
  const rises = fc.array(
    fc.record({ id: fc.constantFrom(..."abcdefgh"), more: fc.nat({ max: 3 }) }),
    { maxLength: 60, size: "max" },
  );
  fc.assert(fc.property(rises, fc.integer({ min: 1, max: 5 }), (history, max) => {
    const top = new Top<Entry>({ max, idOf: ({ id }) => id, isBefore });
    const all = new Map<string, Entry>();
    for (const [text, { id, more }] of history.entries()) {
      const entry = { id, count: (all.get(id)?.count ?? 0) + more, text };
      all.set(id, entry);
      top.offer(entry);
      const sorted = [...all.values()].sort((a, b) => isBefore(a, b) ? -1 : 1);
      assertEquals([...top.entries], sorted.slice(0, max));
    }
  }));
});
