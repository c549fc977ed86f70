import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { digest, RecordStore } from "@/lib/discovery/record_store.ts";

/** A record as `toPublicListing` orders its fields, without votes, clicks and placement. */
function record(name: string): string {
  return `{"name":"${name}","votes":0,"clicks":0,"promoted":false,"sponsored":false,` +
    `"placement":null,"promotion":null,"gem":null,"url":"https://example.com/"}`;
}

Deno.test("a digest has 52 bits, and is another one for each text, whatever was digested before", () => {
  const texts = ["", "a", "aa", "aaa", "aaaa", "aaaab", "abaaa", "é", "日 — 🚀".repeat(2_000)];
  const digests = texts.map(digest);
  assertEquals(new Set(digests).size, texts.length);
  for (const made of digests) assert(Number.isInteger(made) && made >= 0 && made < 2 ** 52);
  assertEquals(texts.toReversed().map(digest), digests.toReversed());
});

Deno.test("a page tells digests, length and width of its texts, whatever changed since", () => {
  const votes = [0, 0, 0];
  const store = new RecordStore((slot) => ({ votes: votes[slot]!, clicks: 0 }));
  const slots = [2, 0, 1];
  const check = (isWide: boolean) => {
    const page = store.page(slots);
    assertEquals(page.texts, slots.map((slot) => store.text(slot)));
    assertEquals(page.digests, page.texts.map(digest));
    assertEquals(page.length, page.texts.join("").length);
    assertEquals(page.isWide, isWide);
    return page;
  };
  for (const slot of slots) store.set(slot, record(`listing ${slot}`));
  const first = check(false);

  votes[0] = 12;
  store.expire(0);
  const voted = check(false);
  assertEquals(JSON.parse(voted.texts[1]!).votes, 12);
  assertNotEquals(voted.digests[1], first.digests[1]);
  assertEquals([voted.digests[0], voted.digests[2]], [first.digests[0], first.digests[2]]);

  store.place(1, { sponsored: true, promotion: null, gem: null });
  assertEquals(JSON.parse(check(false).texts[2]!).placement, "front-row");
  store.place(1, null);
  assertEquals(check(false).digests, voted.digests);

  store.set(2, record("日本語"));
  check(true);
  store.delete(2);
  store.set(2, record("listing 2"));
  assertEquals(check(false).digests[0], first.digests[0]);
});
