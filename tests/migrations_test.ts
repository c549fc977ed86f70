import { assertEquals, assertRejects } from "@std/assert";
import { SettingError } from "@/lib/env.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { Store } from "@/lib/kv/store.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import {
  migrate,
  type Migration,
  migrations,
  requireVersion,
  SCHEMA_VERSION,
} from "@/lib/migrations.ts";
import { pollKeys } from "@/lib/poll/keys.ts";
import { urlKey } from "@/lib/text/url_identity.ts";
import { fixedClock } from "./support/fixed_clock.ts";

async function openStore(): Promise<Store & Disposable> {
  const store = new Store(await Deno.openKv(":memory:"), fixedClock(0));
  return Object.assign(store, { [Symbol.dispose]: () => store.close() });
}

/** Two steps like those of later versions: each updates what the previous one wrote. */
const steps: Migration[] = [2, 3].map((to) => ({
  to,
  what: `to ${to}`,
  run: async (store) => {
    for await (const { key } of store.list({ prefix: ["records"] })) {
      await store.transact(async (tx) => {
        const { value } = await tx.get<{ v: number }>(key);
        if (value!.v < to) tx.set(key, { ...value, v: to });
      });
    }
  },
}));

async function versions(store: Store): Promise<unknown[]> {
  const records = await Array.fromAsync(store.list<{ v: number }>({ prefix: ["records"] }));
  const version = (await store.get(storeKeys.schemaVersion)).value;
  return [version, ...records.map(({ value }) => value.v)];
}

Deno.test("migrate sets the current version on a new database and runs nothing", async () => {
  using store = await openStore();
  assertEquals(await migrate(store), []);
  assertEquals((await store.get(storeKeys.schemaVersion)).value, SCHEMA_VERSION);
  assertEquals(migrations.length, SCHEMA_VERSION - 1);
});

Deno.test("migrate runs every step on an old database, and nothing when run again", async () => {
  using store = await openStore();
  await migrate(store, { version: 1, migrations: [] });
  await store.kv.atomic().set(["records", 1], { v: 1 }).set(["records", 2], { v: 1 }).commit();
  const begun: string[] = [];
  const onStep = (what: string) => begun.push(what);
  assertEquals(await migrate(store, { version: 3, migrations: steps, onStep }), ["to 2", "to 3"]);
  assertEquals(begun, ["to 2", "to 3"]);
  assertEquals(await versions(store), [3, 3, 3]);
  assertEquals(await migrate(store, { version: 3, migrations: steps }), []);
});

Deno.test("migrate resumes a step that was interrupted", async () => {
  using store = await openStore();
  await migrate(store, { version: 1, migrations: [] });
  await store.kv.atomic().set(["records", 1], { v: 1 }).set(["records", 2], { v: 1 }).commit();
  const dies: Migration = {
    ...steps[1]!,
    run: async (store) => {
      await store.transact((tx) => tx.set(["records", 1], { v: 3 }));
      throw new Error("died");
    },
  };
  await assertRejects(() => migrate(store, { version: 3, migrations: [steps[0]!, dies] }), Error);
  assertEquals(await versions(store), [2, 3, 2]);
  assertEquals(await migrate(store, { version: 3, migrations: steps }), ["to 3"]);
  assertEquals(await versions(store), [3, 3, 3]);
});

Deno.test("concurrent migrations reach the version with every record up to date", async () => {
  using store = await openStore();
  await migrate(store, { version: 1, migrations: [] });
  await store.kv.atomic().set(["records", 1], { v: 1 }).commit();
  await Promise.all([1, 2].map(() => migrate(store, { version: 3, migrations: steps })));
  assertEquals(await versions(store), [3, 3]);
});

Deno.test("migrate never lowers the version if another process overtakes it", async () => {
  using store = await openStore();
  await migrate(store, { version: 1, migrations: [] });
  const slow: Migration = {
    ...steps[0]!,
    run: async (store) => {
      await migrate(new Store(store.kv, store.clock), { version: 3, migrations: steps });
    },
  };
  assertEquals(await migrate(store, { version: 3, migrations: [slow, steps[1]!] }), ["to 2"]);
  assertEquals(await versions(store), [3]);
});

Deno.test("migrate refuses a database of a later version", async () => {
  using store = await openStore();
  await migrate(store, { version: 9, migrations: [] });
  await assertRejects(() => migrate(store), SettingError, "has schema version 9");
});

Deno.test("version 5 keeps reasons hidden that old ballots list as hidden", async () => {
  using store = await openStore();
  await migrate(store, { version: 4, migrations: [] });
  const ballot = (voter: string) => ["poll_ballots", "1970-01-01", voter];
  await store.kv.atomic().set(ballot("a"), { reason: null })
    .set(ballot("b"), { reason: "fine", hiddenReasons: ["Some horrid words", "More"] }).commit();
  await migrate(store);
  const reasons = ["some HORRID words", "More", "fine"];
  const hidden = await store.getMany(reasons.map(pollKeys.hiddenReason));
  assertEquals(hidden.map(({ value }) => value !== null), [true, true, false]);
});

Deno.test("version 6 keeps entries that now have the same address, and notes which", async () => {
  using store = await openStore();
  await migrate(store, { version: 5, migrations: [] });
  const old = [
    ["one", "https://github.com/Ada/Tool", 1],
    ["two", "https://github.com/ada/tool.git", 2],
    ["three", "https://three.example.com", 3],
    ["freed", "https://github.com/ADA/tool", 0],
  ] as const;
  const atomic = store.kv.atomic();
  for (const [slug, url, createdAt] of old) {
    atomic.set(listingKeys.one(slug), { slug, url, createdAt, state: "live" });
    const digest = slug === "three" ? urlKey(url) : `old digest of ${slug}`;
    if (slug !== "freed") atomic.set(listingKeys.byUrl(digest), slug);
  }
  await atomic.commit();
  const [what, ...notes] = await migrate(store);
  assertEquals(what, "addresses of projects are compared by more rules");
  assertEquals(notes[0], "the addresses of one and two count as the same today: both stay listed");
  const held = await Array.fromAsync(store.list<string>({ prefix: listingKeys.allByUrl }));
  const expected = [["one", urlKey(old[0][1])], ["three", urlKey(old[2][1])]];
  assertEquals(held.map(({ key, value }) => [value, key.at(-1)]).sort(), expected);
  const two = await store.get<StoredListing>(listingKeys.one("two"));
  assertEquals([two.value!.sameUrlAs, two.value!.url], ["one", old[1][1]]);
});

Deno.test("commands refuse a database that no server has used, or of another version", async () => {
  using store = await openStore();
  await assertRejects(() => requireVersion(store), SettingError, "correct the path or address");
  await migrate(store);
  await requireVersion(store);
  for (
    const [version, advice] of [[SCHEMA_VERSION - 1, "Start the server once"], [9, "a newer one"]]
  ) {
    await store.kv.atomic().set([...storeKeys.schemaVersion], version).commit();
    await assertRejects(() => requireVersion(store), SettingError, advice as string);
  }
});

Deno.test("version 7 queues the logos of listings for copying", async () => {
  using store = await openStore();
  await migrate(store, { version: 6, migrations: [] });
  const atomic = store.kv.atomic();
  for (const [slug, logoUrl] of [["a", "https://a.example.com/l.png"], ["b", null]] as const) {
    atomic.set(listingKeys.one(slug), { slug, logoUrl, createdAt: 5, state: "live" });
  }
  await atomic.commit();
  await migrate(store);
  const jobs = await Array.fromAsync(store.list({ prefix: listingKeys.logoJobs }));
  assertEquals(jobs.map(({ key, value }) => [key, value]), [
    [listingKeys.logoJob(5, "a"), { failures: 0 }],
  ]);
});
