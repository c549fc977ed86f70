import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createHash } from "node:crypto";
import {
  firstBrokenEntry,
  type HistoryEntry,
  listingDigest,
  nextEntry,
} from "@/lib/auctions/history.ts";

const ID = "front-row-2026-11-23";

function chain(length: number): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (let i = 0; i < length; i++) {
    entries.push(nextEntry(ID, entries.at(-1) ?? null, {
      amountCents: 1000 + 100 * i,
      slug: `project-${i}`,
      name: `Project ${i}`,
      at: 1_700_000_000_000 + i,
      extended: i % 3 === 0,
    }));
  }
  return entries;
}

Deno.test("firstBrokenEntry accepts an untouched chain and finds any altered field", () => {
  assertEquals(firstBrokenEntry(ID, []), null);
  assertEquals(firstBrokenEntry(ID, chain(20)), null);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 11 }),
      fc.constantFrom(
        "amountCents",
        "at",
        "extended",
        "number",
        "hash",
        "previousHash",
        "listingDigest",
      ),
      (length, pick, field) => {
        const entries = chain(length);
        const index = pick % length;
        const entry = entries[index] as unknown as Record<string, unknown>;
        const old = entry[field];
        entry[field] = typeof old === "number"
          ? old + 1
          : typeof old === "boolean"
          ? !old
          : (old as string).replace(/^./, (c) => (c === "0" ? "1" : "0"));
        assertEquals(firstBrokenEntry(ID, entries), index + 1);
      },
    ),
  );
});

Deno.test("firstBrokenEntry finds a dropped, swapped or foreign entry", () => {
  const entries = chain(5);
  assertEquals(firstBrokenEntry(ID, entries.toSpliced(2, 1)), 3);
  assertEquals(firstBrokenEntry(ID, entries.slice(1)), 1);
  assertEquals(firstBrokenEntry(ID, [entries[1]!, entries[0]!]), 1);
  assertEquals(firstBrokenEntry("front-row-2026-11-30", entries), 1);
});

Deno.test("each hash can be recomputed from its entry and the previous hash", () => {
  const hashOf = (parts: unknown[]) =>
    createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  let previous = hashOf([ID]);
  for (const entry of chain(3)) {
    const { number, amountCents, at, extended, slug, name } = entry;
    const time = new Date(at).toISOString();
    const listing = hashOf([slug, name]);
    assertEquals(entry.listingDigest, listing);
    assertEquals(entry.previousHash, previous);
    previous = hashOf([ID, number, amountCents, listing, time, extended, previous]);
    assertEquals(entry.hash, previous);
  }
});

Deno.test("the chain covers slug and name through their digest", () => {
  const [entry] = chain(1);
  assertEquals(entry!.listingDigest, listingDigest("project-0", "Project 0"));
  assertEquals(listingDigest("a", "b c") === listingDigest("a b", "c"), false);
});
