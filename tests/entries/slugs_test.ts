import { assert, assertEquals } from "@std/assert";
import { freeSlug } from "@/lib/entries/slugs.ts";

/** What `freeSlug` finds if these slugs are taken, and how many records it reads. */
async function find(taken: Iterable<string>, suffix: number | null = null) {
  const all = new Set(taken);
  let reads = 0;
  const read = (key: Deno.KvKey) => {
    reads++;
    const value = key[0] === "next" ? suffix : all.has(key[1] as string) ? {} : null;
    return { key, value, versionstamp: null } as unknown as Deno.KvEntryMaybe<never>;
  };
  const { slug, next } = await freeSlug({
    get: (key) => Promise.resolve(read(key)),
    getMany: (keys) => Promise.resolve(keys.map(read)) as never,
  }, { base: "notes", recordKey: (slug) => ["record", slug], suffixKey: (base) => ["next", base] });
  return { slug, next, reads };
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `notes-${from + i}`);

Deno.test("a slug is the base name, or else the first free number of the next eight", async () => {
  assertEquals(await find([]), { slug: "notes", next: null, reads: 2 });
  assertEquals(await find(["notes"]), { slug: "notes-2", next: 3, reads: 3 });
  assertEquals((await find(["notes", ...numbers(2, 8)])).slug, "notes-9");
  assertEquals((await find(["notes", "notes-5"], 5)).slug, "notes-6");
});

Deno.test("thousands of taken numbers don't slow down finding a slug", async () => {
  const { slug, reads } = await find(["notes", ...numbers(2, 100_000)]);
  assert(reads < 30, `${reads} reads`);
  assertEquals(slug, "notes-131079");
  // An attacker who takes every number that is tried needs one listing for each extra read.
  const taken = new Set(["notes"]);
  for (let i = 0; i < 100; i++) taken.add((await find(taken)).slug);
  const last = await find(taken);
  assertEquals(last.reads, 103);
  assert(/^notes-\d{10,16}$/.test(last.slug), last.slug);
});
