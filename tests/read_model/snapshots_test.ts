import { assert, assertEquals, assertRejects } from "@std/assert";
import { gunzipSync, gzipSync } from "node:zlib";
import { DAY_MS, MINUTE_MS } from "@/lib/clock.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { snapshotKeys } from "@/lib/read_model/keys.ts";
import { setSkillHidden } from "@/lib/skills/service.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";
import { type KvChanges, kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";
import { storedListing } from "../support/stored_listing.ts";

const LISTS = [
  "/api/v1/projects?sort=top&limit=100",
  "/api/v1/projects?q=ink",
  "/api/v1/projects?gems=1&tag=pens",
  "/api/v1/skills?sort=copied",
  "/api/v1/trending",
  "/api/v1/about",
];

/** The lists' responses as text. */
function shown(app: TestApp): Promise<string[]> {
  return Promise.all(LISTS.map(async (path) => {
    const answer = await app.request(path);
    assertEquals(answer.status, 200, path);
    return await answer.text();
  }));
}

/** A service process on a shared KV. `now` is the time (ms) when it starts. */
function process(kv: Deno.Kv, { now = TEST_NOW, ...changes }: KvChanges & { now?: number } = {}) {
  return testApp({ kv: kvWith(kv, { close() {}, ...changes }), now });
}

const settle = () => Promise.resolve();

/** Some listings and skills in all states, with votes, visits and a gem. */
async function fill(app: TestApp): Promise<string[]> {
  const slugs: string[] = [];
  for (let i = 0; i < 12; i++) {
    const { project } = await submit(app, {
      name: `Inkwell ${i} 日本 “–”`,
      description: i % 2 === 0 ? `Ink for pens, \u{1F680} ${"x".repeat(i * 100)}` : null,
      tags: ["pens"],
      category: "saas",
    });
    slugs.push(project.slug);
    for (let voter = 0; voter < i; voter++) {
      const options = { method: "POST", userAgent: `voter-${voter}` };
      await app.request(`/api/v1/projects/${project.slug}/vote`, options);
    }
  }
  const { slug } = await share(app, { title: "Ink care" });
  await app.request(`/api/v1/skills/${slug}/copy`, { method: "POST" });
  await setSkillHidden(app.deps, { slug: (await share(app)).slug, hidden: true });
  await moveListing(app.deps, { slug: slugs[3]!, step: "hide" });
  await app.deps.store.transact((tx) => {
    tx.set(listingKeys.gem(slugs[1]!), { note: "Few votes yet", since: TEST_NOW });
    tx.change({ kind: "listing", slug: slugs[1]!, event: "gem" });
    tx.set(listingKeys.one("waits"), storedListing("waits", { state: "pending" }));
    tx.change({ kind: "listing", slug: "waits", event: "submitted" });
  });
  await app.deps.sync.caughtUp();
  return slugs;
}

/** Starts a new process; returns where it loaded from and what it shows. */
async function restart(
  kv: Deno.Kv,
  options: KvChanges & { now?: number } = {},
): Promise<{ source: string; lists: string[]; pending: string[] }> {
  await using app = await process(kv, options);
  const seen: string[] = [];
  const { store } = app.deps;
  const list = store.listBatches.bind(store);
  store.listBatches = (selector, options) => {
    if ("prefix" in selector) seen.push(String(selector.prefix[0]));
    return list(selector, options);
  };
  // The app has read the records, and a start forgets everything it read except gems.
  for (const { slug } of app.deps.catalogue.rows()) app.deps.catalogue.setGem(slug, null);
  await app.deps.sync.start(app.deps.snapshots);
  const source = seen.includes("listings") ? "records" : "snapshot";
  return { source, lists: await shown(app), pending: [...app.deps.catalogue.pending.keys()] };
}

async function versionsIn(kv: Deno.Kv): Promise<Set<string>> {
  const versions = new Set<string>();
  for await (const { key } of kv.list({ prefix: ["snapshots"] })) versions.add(String(key[1]));
  return versions;
}

Deno.test("startup from a snapshot shows the same as startup from the records", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await process(kv);
  await fill(app);
  const before = await restart(kv);
  assertEquals(before.source, "records");
  assertEquals(await app.deps.snapshots.write(settle), true);
  assertEquals(await restart(kv), { ...before, source: "snapshot" });
  assertEquals([before.lists, before.pending], [await shown(app), ["waits"]]);
  kv.close();
});

Deno.test("a large snapshot is split into values that fit in KV", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await process(kv);
  const noise = () => [...crypto.getRandomValues(new Uint8Array(1_500))].map(String).join("");
  for (let i = 0; i < 300; i++) {
    await kv.set(listingKeys.one(`p-${i}`), storedListing(`p-${i}`));
    await kv.set(listingKeys.description(`p-${i}`), noise().slice(0, 4_000));
  }
  await app.deps.sync.load();
  assertEquals(await app.deps.snapshots.write(settle), true);
  const { kinds } = (await kv.get<{ kinds: Record<string, { chunks: number }> }>(
    snapshotKeys.meta,
  )).value!;
  assert(kinds.listing!.chunks > 5, `${kinds.listing!.chunks} chunks`);
  const { source, lists } = await restart(kv);
  assertEquals([source, lists], ["snapshot", await shown(app)]);
  kv.close();
});

Deno.test("writes during startup from a snapshot aren't lost", async () => {
  const kv = await Deno.openKv(":memory:");
  await using before = await process(kv);
  const [first, second, third] = await fill(before);
  await before.deps.snapshots.write(settle);
  const hold = Promise.withResolvers<void>();
  const reading = Promise.withResolvers<void>();
  let holds = false;
  await using app = await process(kv, {
    async getMany(keys) {
      if (holds && keys[0]![0] === "snapshots") {
        reading.resolve();
        await hold.promise;
      }
      return await kv.getMany(keys);
    },
  });
  holds = true;
  const started = app.deps.sync.start(app.deps.snapshots);
  await reading.promise;
  const { project } = await submit(app, { name: "Ink, brand new" });
  const options = { method: "POST", userAgent: "late" };
  assertEquals((await app.request(`/api/v1/projects/${first}/vote`, options)).status, 200);
  await moveListing(app.deps, { slug: second!, step: "hide" });
  // From another process, which this one is told of.
  await kv.set(listingKeys.one(third!), { ...storedListing(third!), tagline: "Ink elsewhere" });
  const change = {
    id: "x",
    kind: "listing",
    slug: third!,
    event: "updated",
    at: TEST_NOW,
  } as const;
  app.deps.store.tell({ type: "change", change, foreign: true });
  hold.resolve();
  await started;
  const { catalogue } = app.deps;
  assertEquals(catalogue.get(project.slug)?.name, "Ink, brand new");
  assertEquals(catalogue.get(first!)?.votes, 1);
  assertEquals([catalogue.has(second!), catalogue.get(third!)?.tagline], [false, "Ink elsewhere"]);
  assertEquals((await restart(kv)).lists, await shown(app));
  kv.close();
});

Deno.test("startup replays the log since the snapshot, if the log still reaches that far back", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await process(kv);
  const [first, second] = await fill(app);
  await app.deps.snapshots.write(settle);
  app.clock.advance(20 * MINUTE_MS);
  await app.request(`/api/v1/projects/${first}/vote`, { method: "POST", userAgent: "late" });
  await moveListing(app.deps, { slug: second!, step: "hide" });
  const now = TEST_NOW + 30 * MINUTE_MS;
  const { source, lists } = await restart(kv, { now });
  app.clock.set(now);
  assertEquals([source, lists], ["snapshot", await shown(app)]);
  const late = TEST_NOW + 50 * MINUTE_MS;
  const after = await restart(kv, { now: late });
  app.clock.set(late);
  assertEquals([after.source, after.lists], ["records", await shown(app)]);
  // The clock of the snapshot's writer may have been ahead.
  assertEquals((await restart(kv, { now: TEST_NOW - 5 * MINUTE_MS })).source, "records");
  kv.close();
});

Deno.test("a snapshot of any age is used if nothing was logged since", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await process(kv);
  await fill(app);
  await app.deps.snapshots.write(settle);
  assertEquals((await restart(kv, { now: TEST_NOW + 30 * DAY_MS })).source, "snapshot");
  kv.close();
});

const DAMAGES: Record<string, (kv: Deno.Kv, chunk: Deno.KvEntry<Uint8Array>) => Promise<unknown>> =
  {
    "a chunk is missing": (kv, { key }) => kv.delete(key),
    "a chunk has other bytes": (kv, { key, value }) =>
      kv.set(key, value.map((byte, i) => i === value.length >> 1 ? byte ^ 1 : byte)),
    "a chunk isn't bytes": (kv, { key }) => kv.set(key, "text"),
    "an entry can't be read": (kv, { key, value }) => {
      const entries = JSON.parse(gunzipSync(value).toString());
      entries.at(-1).row.content = "{";
      return kv.set(key, new Uint8Array(gzipSync(JSON.stringify(entries))));
    },
    "entries are missing": async (kv) => {
      const meta = (await kv.get<{ kinds: { listing: { entries: number } } }>(snapshotKeys.meta))
        .value!;
      meta.kinds.listing.entries++;
      await kv.set(snapshotKeys.meta, meta);
    },
    "entries have other fields": async (kv) => {
      const meta = (await kv.get<{ kinds: { listing: { shape: string } } }>(snapshotKeys.meta))
        .value!;
      meta.kinds.listing.shape += ",new";
      await kv.set(snapshotKeys.meta, meta);
    },
  };

for (const [what, damage] of Object.entries(DAMAGES)) {
  Deno.test(`if ${what} in the snapshot, startup reads the records and the snapshot is rewritten`, async () => {
    const kv = await Deno.openKv(":memory:");
    await using app = await process(kv);
    await fill(app);
    await app.deps.snapshots.write(settle);
    const { value } = await kv.list<Uint8Array>({ prefix: ["snapshots"] }).next();
    await damage(kv, value!);
    await using next = await process(kv);
    await next.deps.sync.start(next.deps.snapshots);
    assertEquals(await shown(next), await shown(app));
    assertEquals(await next.deps.snapshots.write(settle), true);
    const { source, lists } = await restart(kv);
    assertEquals([source, lists], ["snapshot", await shown(app)]);
    assertEquals((await versionsIn(kv)).size, 1);
    kv.close();
  });
}

Deno.test("a snapshot isn't rewritten if nothing changed or the last one is recent", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await process(kv);
  const { snapshots } = app.deps;
  const [first] = await fill(app);
  assertEquals(await snapshots.write(settle), true);
  app.clock.advance(DAY_MS);
  assertEquals(await snapshots.write(settle), false, "nothing changed");
  await app.request(`/api/v1/projects/${first}/vote`, { method: "POST", userAgent: "late" });
  assertEquals(await snapshots.write(settle), true);
  await app.request(`/api/v1/projects/${first}/vote`, { method: "DELETE", userAgent: "late" });
  app.clock.advance(24 * MINUTE_MS);
  assertEquals(await snapshots.isOutdated(), false);
  assertEquals(await snapshots.write(settle), false, "24 minutes old");
  app.clock.advance(MINUTE_MS);
  assertEquals(await snapshots.isOutdated(), true);
  assertEquals(await snapshots.write(settle), true);
  await kv.atomic().sum(storeKeys.revision, 999n).commit();
  assertEquals(await snapshots.write(settle), false, "999 changes");
  await kv.atomic().sum(storeKeys.revision, 1n).commit();
  assertEquals(await snapshots.write(settle), true, "1,000 changes");
  assertEquals((await versionsIn(kv)).size, 1);
  kv.close();
});

Deno.test("only one of two concurrent writers writes a snapshot, and the other leaves nothing behind", async () => {
  const kv = await Deno.openKv(":memory:");
  await using one = await process(kv);
  await fill(one);
  await using other = await process(kv);
  const written = await Promise.all([one, other].map(({ deps }) => deps.snapshots.write(settle)));
  assertEquals(written.toSorted(), [false, true]);
  assertEquals((await versionsIn(kv)).size, 1);
  assertEquals((await restart(kv)).source, "snapshot");
  kv.close();
});

Deno.test("a writer overtaken while it slept deletes what it wrote", async () => {
  const kv = await Deno.openKv(":memory:");
  await using one = await process(kv);
  const [first] = await fill(one);
  await using other = await process(kv);
  const slept = await one.deps.snapshots.write(async () => {
    other.clock.advance(30 * MINUTE_MS);
    await other.request(`/api/v1/projects/${first}/vote`, { method: "POST", userAgent: "late" });
    assertEquals(await other.deps.snapshots.write(settle), true);
  });
  assertEquals(slept, false);
  assertEquals((await versionsIn(kv)).size, 1);
  assertEquals((await restart(kv, { now: other.clock.now() })).lists, await shown(other));
  kv.close();
});

Deno.test("a crash at any commit leaves the previous snapshot, and the next writer cleans up", async () => {
  for (let dies = 1, landed = true; landed; dies++) {
    const kv = await Deno.openKv(":memory:");
    let commits = 0;
    let writing = false;
    await using app = await process(kv, {
      commit(land) {
        if (writing && ++commits >= dies) throw new Error("The process has ended");
        return land();
      },
    });
    const [first] = await fill(app);
    assertEquals(await app.deps.snapshots.write(settle), true);
    app.clock.advance(30 * MINUTE_MS);
    await app.request(`/api/v1/projects/${first}/vote`, { method: "POST", userAgent: "late" });
    const lists = await shown(app);
    writing = true;
    if (await app.deps.snapshots.write(settle).then(() => true, () => false)) landed = false;
    const now = app.clock.now();
    assertEquals((await restart(kv, { now })).lists, lists, `died at commit ${dies}`);
    // The next writer cleans up.
    await using next = await process(kv, { now: now + 30 * MINUTE_MS });
    await next.request(`/api/v1/projects/${first}/vote`, { method: "POST", userAgent: "later" });
    assertEquals(await next.deps.snapshots.write(settle), true);
    assertEquals((await versionsIn(kv)).size, 1, `died at commit ${dies}`);
    assertEquals((await kv.get(snapshotKeys.claim)).value, null);
    kv.close();
    assert(dies < 20);
  }
});

Deno.test("startup keeps retrying while KV fails", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await process(kv);
  await fill(app);
  await app.deps.snapshots.write(settle);
  let failures = 2;
  await using next = await process(kv, {
    getMany(keys) {
      if (keys[0]![0] === "snapshots" && failures-- > 0) throw new Error("down");
      return kv.getMany(keys);
    },
  });
  await next.deps.sync.start(next.deps.snapshots);
  assertEquals(await shown(next), await shown(app));
  kv.close();
});

Deno.test("ready rejects while loading takes too long, and resolves once it is done", async () => {
  const kv = await Deno.openKv(":memory:");
  const hold = Promise.withResolvers<void>();
  let holds = false;
  await using app = await process(kv, {
    async getMany(keys) {
      if (holds && keys[1]?.[0] === storeKeys.revision[0]) await hold.promise;
      return await kv.getMany(keys);
    },
  });
  const { sync, catalogue } = app.deps;
  assertEquals(sync.ready(10), undefined);
  holds = true;
  const started = sync.start(app.deps.snapshots);
  await assertRejects(() => sync.ready(10)!, "Storage is temporarily unavailable");
  const waits = sync.ready(5_000);
  assertEquals(catalogue.isReady, false);
  hold.resolve();
  await waits;
  await started;
  assertEquals([sync.ready(10), catalogue.isReady], [undefined, true]);
  kv.close();
});
