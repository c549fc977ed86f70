import { assertEquals } from "@std/assert";
import { delay } from "@/lib/clock.ts";
import { Store } from "@/lib/kv/store.ts";
import { ListingCatalogue, listingKind } from "@/lib/listings/catalogue.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import { writeListing } from "@/lib/listings/service.ts";
import { createLog } from "@/lib/log.ts";
import { Sync } from "@/lib/read_model/sync.ts";
import { createUrls } from "@/lib/urls.ts";
import { voteKeys } from "@/lib/votes/keys.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { failingKv, kvWith } from "../support/kv_with.ts";
import { storedListing } from "../support/stored_listing.ts";

async function setUp(given?: Deno.Kv) {
  const kv = given ?? await Deno.openKv(":memory:");
  const clock = fixedClock(TEST_NOW);
  const store = new Store(kv, clock);
  const catalogue = new ListingCatalogue({ clock, urls: createUrls("http://projectory.test") });
  const sync = new Sync({ store, log: createLog("silent"), kinds: [listingKind(catalogue)] });
  return {
    kv,
    store,
    catalogue,
    sync,
    [Symbol.dispose]() {
      kv.close();
    },
  };
}

Deno.test("load joins records, descriptions and counts, and omits what isn't live", async () => {
  using world = await setUp();
  const { kv, catalogue, sync } = world;
  const n = new Map([["a", "live"], ["b", "hidden"], ["c", "live"], ["d", "pending"], [
    "e",
    "live",
  ]]);
  for (const [slug, state] of n) {
    await kv.set(
      listingKeys.one(slug),
      storedListing(slug, { state: state as StoredListing["state"] }),
    );
    await kv.set(listingKeys.description(slug), `About ${slug}`);
    await kv.atomic().sum(voteKeys.count("listing", slug, "up"), 5n)
      .sum(voteKeys.count("listing", slug, "down"), 2n).sum(listingKeys.clicks(slug), 7n).commit();
  }
  await kv.delete(listingKeys.description("c"));
  await kv.delete(voteKeys.count("listing", "c", "down"));
  await kv.delete(listingKeys.clicks("e"));
  await kv.set(listingKeys.gem("e"), { note: "Few votes yet", since: TEST_NOW });
  await kv.set(listingKeys.description("0-orphan"), "Of no listing");
  await sync.load();
  const { items, total } = catalogue.list({ sort: "new", limit: 10 });
  assertEquals(total, 3);
  assertEquals(items.map((l) => [l.slug, l.description, l.votes, l.clicks, l.gem?.note]), [
    ["a", "About a", 3, 7, undefined],
    ["c", null, 5, 7, undefined],
    ["e", "About e", 3, 0, "Few votes yet"],
  ]);
});

Deno.test("a foreign change is reread, and a foreign vote sets the count from KV", async () => {
  using world = await setUp();
  const { kv, store, catalogue, sync } = world;
  await kv.set(listingKeys.one("a"), storedListing("a", { tagline: "New" }));
  await kv.atomic().sum(voteKeys.count("listing", "a", "up"), 4n).commit();
  const change = { id: "x", kind: "listing", slug: "a", event: "updated", at: TEST_NOW } as const;
  store.tell({ type: "change", change, foreign: true });
  await sync.caughtUp();
  assertEquals(catalogue.get("a")?.tagline, "New");
  assertEquals(catalogue.get("a")?.votes, 4);

  await kv.atomic().sum(voteKeys.count("listing", "a", "up"), 1n).commit();
  const pulse = { id: "y", kind: "vote", slug: "a", delta: 1, at: TEST_NOW } as const;
  for (let i = 0; i < 3; i++) store.tell({ type: "pulse", pulse, foreign: true });
  await sync.caughtUp();
  assertEquals(catalogue.get("a")?.votes, 5, "hearing of it three times counts it once");

  await kv.set(listingKeys.one("a"), storedListing("a", { state: "hidden" }));
  store.tell({ type: "change", change, foreign: true });
  await sync.caughtUp();
  assertEquals(catalogue.get("a"), undefined);
});

Deno.test("a change whose reread fails shows once KV is back", async () => {
  const { kv, storage } = await failingKv();
  using world = await setUp(kv);
  const { store, catalogue, sync } = world;
  await kv.set(listingKeys.one("a"), storedListing("a", { tagline: "New" }));
  storage.fails = true;
  const change = { id: "x", kind: "listing", slug: "a", event: "updated", at: TEST_NOW } as const;
  store.tell({ type: "change", change, foreign: true });
  const done = sync.caughtUp();
  await delay(20);
  storage.fails = false;
  await done;
  assertEquals(catalogue.get("a")?.tagline, "New");
});

Deno.test("another process's edit during a reread of many entries never shows up half done", async () => {
  const inner = await Deno.openKv(":memory:");
  const slugs = Array.from({ length: 20 }, (_, i) => `project-${i}`);
  let edits = 0;
  const editAll = async () => {
    const text = `Edit ${++edits}`;
    const edit = inner.atomic();
    for (const slug of slugs) {
      edit.set(listingKeys.one(slug), storedListing(slug, { tagline: text }))
        .set(listingKeys.description(slug), text);
    }
    await edit.commit();
  };
  let turn = Promise.resolve();
  const kv = kvWith(inner, {
    async getMany(keys) {
      await (turn = turn.then(editAll));
      return await inner.getMany(keys);
    },
  });
  using world = await setUp(kv);
  const { store, catalogue, sync } = world;
  for (const slug of slugs) {
    const change = { id: slug, kind: "listing", slug, event: "updated", at: TEST_NOW } as const;
    store.tell({ type: "change", change, foreign: true });
  }
  await sync.caughtUp();
  const { items } = catalogue.list({ sort: "new", limit: 30 });
  assertEquals(items.length, 20);
  for (const { tagline, description } of items) assertEquals(description, tagline);
});

/** A KV in memory, and one over it whose bulk reads are counted. */
async function countedKv() {
  const inner = await Deno.openKv(":memory:");
  const counted = { reads: 0 };
  const kv = kvWith(inner, {
    getMany(keys) {
      counted.reads++;
      return inner.getMany(keys);
    },
  });
  return { inner, kv, counted };
}

Deno.test("the counts of entries that others voted for are read in as few reads as KV allows", async () => {
  const { inner, kv, counted } = await countedKv();
  using world = await setUp(kv);
  const { store, catalogue, sync } = world;
  const slugs = Array.from({ length: 50 }, (_, i) => `project-${i}`);
  for (const [i, slug] of slugs.entries()) {
    await inner.atomic().set(listingKeys.one(slug), storedListing(slug))
      .sum(voteKeys.count("listing", slug, "up"), BigInt(i)).commit();
  }
  await sync.load();
  for (const slug of slugs) {
    await inner.atomic().sum(voteKeys.count("listing", slug, "up"), 1n).commit();
  }
  for (const slug of slugs) {
    const pulse = { id: slug, kind: "vote", slug, delta: 1, at: TEST_NOW } as const;
    store.tell({ type: "pulse", pulse, foreign: true });
  }
  await sync.caughtUp();
  assertEquals(slugs.map((slug) => catalogue.get(slug)!.votes), slugs.map((_, i) => i + 1));
  // Three counters each, ten keys a read.
  assertEquals(counted.reads, 17);
});

Deno.test("a listing is read again after this process's edit only if something unknown is part of it", async () => {
  const { inner, kv, counted } = await countedKv();
  using world = await setUp(kv);
  const { store, sync } = world;
  const listing = storedListing("a", { linkCheck: "off" });
  await inner.set(listingKeys.one("a"), listing);
  await sync.load();
  const edit = async (fields: Partial<StoredListing>) => {
    counted.reads = 0;
    const payload = { listing: { ...listing, ...fields }, description: null };
    const change = { id: "1", kind: "listing", slug: "a", event: "updated", at: TEST_NOW } as const;
    store.tell({ type: "change", change, payload });
    await sync.caughtUp();
    return counted.reads > 0;
  };
  // A link that isn't checked has no state to know.
  assertEquals(await edit({ tagline: "Other" }), false);
  assertEquals(await edit({ url: "https://b.example.com/" }), false);
  assertEquals(await edit({ linkCheck: null }), true);
});

Deno.test("this process's vote between reading a count and showing it is not lost", async () => {
  const inner = await Deno.openKv(":memory:");
  let afterReading: (() => Promise<void>) | undefined;
  const kv = kvWith(inner, {
    async getMany(keys) {
      const entries = await inner.getMany(keys);
      const then = afterReading;
      afterReading = undefined;
      await then?.();
      return entries;
    },
  });
  using world = await setUp(kv);
  const { store, catalogue, sync } = world;
  await inner.set(listingKeys.one("a"), storedListing("a"));
  await sync.load();
  let voted: Promise<void> | undefined;
  afterReading = () => {
    voted = store.transact((tx) => {
      tx.sum(voteKeys.count("listing", "a", "up"), 1n);
      tx.pulse({ kind: "vote", slug: "a", delta: 1 });
    });
    return Promise.resolve();
  };
  const pulse = { id: "y", kind: "vote", slug: "a", delta: 1, at: TEST_NOW } as const;
  store.tell({ type: "pulse", pulse, foreign: true });
  await sync.caughtUp();
  await voted;
  await sync.caughtUp();
  assertEquals(catalogue.get("a")?.votes, 1);
});

Deno.test("this process's vote counts once if it was stored but not yet confirmed when its count is read", async () => {
  const inner = await Deno.openKv(":memory:");
  const heard = Promise.withResolvers<void>();
  // A commit lands immediately, and the response comes later.
  const kv = kvWith(inner, {
    async commit(land) {
      const result = await land();
      await heard.promise;
      return result;
    },
  });
  using world = await setUp(kv);
  const { store, catalogue, sync } = world;
  await inner.set(listingKeys.one("a"), storedListing("a"));
  await sync.load();
  const voted = store.transact((tx) => {
    tx.sum(voteKeys.count("listing", "a", "up"), 1n);
    tx.pulse({ kind: "vote", slug: "a", delta: 1 });
  });
  while ((await inner.get(voteKeys.count("listing", "a", "up"))).value === null);
  const pulse = { id: "y", kind: "vote", slug: "a", delta: 1, at: TEST_NOW } as const;
  store.tell({ type: "pulse", pulse, foreign: true });
  await delay(20);
  heard.resolve();
  await voted;
  await sync.caughtUp();
  assertEquals(catalogue.get("a")?.votes, 1);
});

for (const state of ["hidden", "live"] as const) {
  Deno.test(`this process's edit whose response was lost doesn't override later changes (${state})`, async () => {
    const inner = await Deno.openKv(":memory:");
    let afterCommit: (() => Promise<void>) | undefined;
    const kv = kvWith(inner, {
      async commit(land) {
        const result = await land();
        const then = afterCommit;
        afterCommit = undefined;
        await then?.();
        if (then !== undefined) throw new Error("lost");
        return result;
      },
    });
    using world = await setUp(kv);
    const { store, catalogue, sync } = world;
    await sync.load();
    afterCommit = async () => {
      // Another process edits or hides it and counts a vote.
      await inner.set(listingKeys.one("a"), storedListing("a", { state, tagline: "Second" }));
      await inner.atomic().sum(voteKeys.count("listing", "a", "up"), 1n).commit();
      const change = {
        id: "x",
        kind: "listing",
        slug: "a",
        event: "updated",
        at: TEST_NOW,
      } as const;
      store.tell({ type: "change", change, foreign: true });
    };
    const listing = storedListing("a", { tagline: "First" });
    await store.transact((tx) => {
      writeListing(tx, { listing, description: null }, "created");
    });
    if (state === "hidden") assertEquals(catalogue.get("a"), undefined, "not even for a moment");
    await sync.caughtUp();
    const shown = catalogue.get("a");
    assertEquals(
      [shown?.tagline, shown?.votes],
      state === "hidden" ? [undefined, undefined] : ["Second", 1],
    );
  });
}

Deno.test("this process's commits show in lists immediately: submit, edit, vote", async () => {
  await using app = await testApp();
  const created = await app.json("/api/v1/projects", {
    json: { name: "First", url: "https://first.example.com", tagline: "One", tags: ["cli"] },
  });
  const list = () => app.json("/api/v1/projects?q=first&tag=cli");
  assertEquals((await list()).body.projects[0], created.body.project);
  await app.json("/api/v1/projects/first/vote", { method: "POST" });
  assertEquals((await list()).body.projects[0].votes, 1);
  await app.json("/api/v1/projects/first", {
    method: "PATCH",
    json: { tags: ["web"] },
    editKey: created.body.editKey,
  });
  assertEquals((await list()).body.total, 0);
});
