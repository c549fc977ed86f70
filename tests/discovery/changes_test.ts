import { assert, assertEquals, assertMatch } from "@std/assert";
import { MINUTE_MS } from "@/lib/clock.ts";
import type { PublicChange } from "@/lib/discovery/schema.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { createLogId } from "@/lib/kv/log_id.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import { writeListing } from "@/lib/listings/service.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { setSkillHidden } from "@/lib/skills/service.ts";
import { setSwitches } from "@/lib/switches.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { kvListing } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

const PATH = "/api/v1/changes";

/** Lists a project a minute ago; returns its edit key. */
async function list(app: TestApp, name: string): Promise<string> {
  const { editKey } = await submit(app, { name });
  app.clock.advance(MINUTE_MS);
  return editKey;
}

async function setState(app: TestApp, slug: string, state: StoredListing["state"], event: string) {
  await app.deps.store.transact(async (tx) => {
    const { value } = await tx.get<StoredListing>(listingKeys.one(slug));
    writeListing(tx, { listing: { ...value!, state }, description: null }, event);
  });
  // A listing that comes back has its counts read again.
  await app.deps.sync.caughtUp();
}

const shown = (changes: PublicChange[]) => changes.map(({ slug, event }) => [slug, event]);

for (const query of ["since=yesterday", "since=", "since=2026-01-01", "limit=0", "limit=101"]) {
  Deno.test(`GET changes?${query} is invalid_input`, async () => {
    await using app = await testApp();
    const { status, body } = await app.json(`${PATH}?${query}`);
    assertEquals([status, body.error.code], [400, "invalid_input"]);
    assertMatch(
      body.error.details[0].message,
      /^Must be (a whole number|a nextSince value.*2026-03-04T12:00:00Z$)/,
    );
  });
}

Deno.test("GET changes is empty before the first public change", async () => {
  await using app = await testApp();
  const { body } = await app.json(PATH);
  assertEquals(body, { ok: true, changes: [], limit: 30, more: false, nextSince: null });
  const { nextSince } = (await app.json(`${PATH}?since=2026-03-04T11:00:00Z`)).body;
  await setSwitches(app.deps.store, { review: true });
  await list(app, "a");
  const waiting = (await app.json(PATH)).body;
  assertEquals([waiting.changes, typeof waiting.nextSince], [[], "string"]);
  await setState(app, "a", "live", "approved");
  for (const since of [nextSince, waiting.nextSince]) {
    assertEquals(shown((await app.json(`${PATH}?since=${since}`)).body.changes), [[
      "a",
      "approved",
    ]]);
  }
});

Deno.test("GET changes ignores unknown parameters and names them", async () => {
  await using app = await testApp();
  const { body } = await app.json(`${PATH}?kind=listing&limit=5`);
  assertEquals([body.ok, body.limit, body.ignoredParameters], [true, 5, ["kind"]]);
  assertEquals("ignoredParameters" in (await app.json(PATH)).body, false);
});

Deno.test("GET changes shows a skill with its URL, and a hidden one as a tombstone", async () => {
  await using app = await testApp();
  const { slug } = await share(app, { title: "Cutter" });
  const told = async () =>
    (await app.json(PATH)).body.changes.map((
      { kind, event, url }: PublicChange,
    ) => [kind, event, url]);
  const url = "http://projectory.test/api/v1/skills/cutter";
  assertEquals(await told(), [["skill", "created", url]]);
  await setSkillHidden(app.deps, { slug, hidden: true });
  assertEquals(await told(), [["skill", "hidden", null]]);
  await setSkillHidden(app.deps, { slug, hidden: false });
  // A skill that comes back has its counts read again.
  await app.deps.sync.caughtUp();
  assertEquals((await told()).at(-1), ["skill", "unhidden", url]);
});

Deno.test("GET changes shows creations, edits and tombstones of hidden listings, but nothing pending", async () => {
  await using app = await testApp();
  const editKey = await list(app, "a");
  await list(app, "bb");
  await app.request("/api/v1/projects/a", { method: "PATCH", json: { tagline: "y" }, editKey });
  await setState(app, "bb", "hidden", "hidden");
  await setSwitches(app.deps.store, { review: true });
  await list(app, "ccc");
  const { changes } = (await app.json(PATH)).body;
  assertEquals(shown(changes), [["a", "created"], ["a", "updated"], ["bb", "hidden"]]);
  assertEquals(changes[0].url, "http://projectory.test/api/v1/projects/a");
  assertEquals(changes[2].url, null);
  await setState(app, "ccc", "live", "approved");
  assertEquals(shown((await app.json(`${PATH}?limit=2`)).body.changes), [
    ["bb", "hidden"],
    ["ccc", "approved"],
  ]);
  app.clock.advance(MINUTE_MS);
  const { nextSince } = (await app.json(PATH)).body;
  const none = (await app.json(`${PATH}?since=${nextSince}`)).body;
  assertEquals([none.changes, none.nextSince], [[], nextSince]);
});

Deno.test("GET changes shows this process's changes immediately, even after repeated requests", async () => {
  await using app = await testApp();
  const latest = async () => {
    for (let times = 0; times < 2; times++) await app.json(PATH);
    const [slug, event] = shown((await app.json(PATH)).body.changes).at(-1)!;
    return `${slug} ${event}`;
  };
  await submit(app, { name: "inkwell" });
  assertEquals(await latest(), "inkwell created");
  const { slug } = await share(app);
  assertEquals(await latest(), `${slug} created`);
  await setSkillHidden(app.deps, { slug, hidden: true });
  assertEquals(await latest(), `${slug} hidden`);
  await moveListing(app.deps, { slug: "inkwell", step: "hide" });
  assertEquals(await latest(), "inkwell hidden");
});

Deno.test("following nextSince in GET changes gives each change once, and later ones", async () => {
  await using app = await testApp();
  const names = ["a", "bb", "ccc", "dddd", "eeeee"];
  const start = new Date(app.clock.now()).toISOString();
  for (const name of names) await list(app, name);
  const pages: string[][] = [];
  let since = start;
  for (let i = 0; i < 4; i++) {
    const { body } = await app.json(`${PATH}?limit=2&since=${encodeURIComponent(since)}`);
    pages.push(body.changes.map(({ slug }: PublicChange) => slug));
    since = body.nextSince;
  }
  assertEquals(pages, [["a", "bb"], ["ccc", "dddd"], ["eeeee"], []]);
  await list(app, "ffffff");
  const { body } = await app.json(`${PATH}?since=${since}`);
  assertEquals(shown(body.changes), [["ffffff", "created"]]);
});

Deno.test("nextSince in GET changes moves past changes that are never shown", async () => {
  await using app = await testApp();
  await list(app, "a");
  const since = (await app.json(PATH)).body.nextSince;
  await app.deps.store.transact((tx) => {
    tx.change({ kind: "site", slug: "theme", event: "switched" });
  });
  app.clock.advance(MINUTE_MS);
  const { changes, nextSince } = (await app.json(`${PATH}?since=${since}`)).body;
  assertEquals(changes, []);
  assert(nextSince > since, nextSince);
});

Deno.test("GET changes repeats the last ten seconds, so that late writes aren't missed", async () => {
  await using app = await testApp();
  await submit(app, { name: "a" });
  const first = (await app.json(PATH)).body;
  const again = (await app.json(`${PATH}?since=${first.nextSince}`)).body;
  assertEquals(again.changes, first.changes);
  app.clock.advance(MINUTE_MS);
  const later = (await app.json(`${PATH}?since=${first.nextSince}`)).body;
  assert(later.nextSince > first.nextSince);
  assertEquals((await app.json(`${PATH}?since=${later.nextSince}`)).body.changes, []);
});

Deno.test("GET changes doesn't miss a late write after a full last page", async () => {
  await using app = await testApp();
  const start = new Date(app.clock.now()).toISOString();
  const editKey = await list(app, "a");
  await list(app, "bb");
  app.clock.advance(MINUTE_MS);
  const read = async (since: string) => (await app.json(`${PATH}?limit=2&since=${since}`)).body;
  const { nextSince } = await read(start);
  const edit = (tagline: string) =>
    app.request("/api/v1/projects/a", { method: "PATCH", json: { tagline }, editKey });
  await edit("y");
  await edit("z");
  const full = await read(nextSince);
  assertEquals(shown(full.changes), [["a", "updated"], ["a", "updated"]]);
  // It began two seconds before these edits and was committed after them.
  app.clock.advance(-2_000);
  await setState(app, "bb", "hidden", "hidden");
  app.clock.advance(MINUTE_MS);
  const seen: string[] = [];
  let since = full.nextSince;
  for (let i = 0; i < 3; i++) {
    const page = await read(since);
    seen.push(...page.changes.map(({ slug }: PublicChange) => slug));
    since = page.nextSince;
  }
  assert(seen.includes("bb"), seen.join());
});

Deno.test("GET changes ends with more: false, even after a full page during writes", async () => {
  await using app = await testApp();
  let since = new Date(app.clock.now()).toISOString();
  const written: string[] = [];
  for (const name of ["a", "bb", "ccc"]) {
    await list(app, name);
    // A second ago, so that it is repeated at each end.
    app.clock.advance(1_000 - MINUTE_MS);
    written.push(name);
    const seen: string[] = [];
    for (let more = true; more && seen.length < 9;) {
      const { body } = await app.json(`${PATH}?limit=1&since=${since}`);
      seen.push(...body.changes.map(({ slug }: PublicChange) => slug));
      ({ more, nextSince: since } = body);
    }
    assertEquals(seen, written);
  }
});

Deno.test("GET changes has no tombstone for a listing hidden before it was public (invariant 12)", async () => {
  await using app = await testApp();
  await setSwitches(app.deps.store, { review: true });
  await list(app, "a");
  await list(app, "bb");
  await moveListing(app.deps, { slug: "a", step: "hide" });
  await moveListing(app.deps, { slug: "bb", step: "refuse" });
  assertEquals((await app.json(PATH)).body.changes, []);
});

Deno.test("GET changes skips up to a thousand changes that aren't shown per request, and reads each once", async () => {
  const kv = await Deno.openKv(":memory:");
  let read = 0;
  const counting = kvListing(kv, ({ key }) => {
    if (key[0] === storeKeys.changes[0]) read++;
  });
  await using app = await testApp({ kv: counting });
  // 1,001, rounded up to a batch of 50.
  const most = 1_050;
  const start = new Date(app.clock.now()).toISOString();
  await list(app, "a");
  for (let n = 0; n < 1_500; n++) {
    const at = app.clock.now() + n;
    const change = { id: createLogId(at), kind: "listing", slug: `p-${n}`, event: "submitted", at };
    await kv.set(storeKeys.change(change.id), change);
  }
  app.clock.advance(MINUTE_MS);
  // Otherwise, the tail of the log would read them too.
  await app.deps.tail.begin();
  const follow = async (since: string | null) => {
    read = 0;
    const { body } = await app.json(`${PATH}?limit=2${since === null ? "" : `&since=${since}`}`);
    return { ...body, slugs: body.changes.map(({ slug }: PublicChange) => slug), read };
  };
  const pending = await follow(null);
  assertEquals([pending.slugs, pending.more, pending.read <= most], [[], false, true]);
  const after = await follow(pending.nextSince);
  assertEquals([after.slugs, after.read <= most], [[], true]);
  await list(app, "bb");
  const first = await follow(start);
  assertEquals([first.slugs, first.more, first.read <= most], [["a"], true, true]);
  const second = await follow(first.nextSince);
  assertEquals([second.slugs, second.more, second.read], [["bb"], false, 501]);
  const third = await follow(second.nextSince);
  assertEquals([third.slugs, third.more, third.read <= 1], [[], false, true]);
  const latest = await follow(null);
  assertEquals([latest.slugs, latest.more, latest.read <= most], [["bb"], false, true]);
  assertEquals(latest.nextSince, second.nextSince);
});

Deno.test("GET changes doesn't move past a listing that this process doesn't know yet", async () => {
  await using app = await testApp();
  const start = new Date(app.clock.now()).toISOString();
  await list(app, "a");
  const note = async (slug: string, event: string) => {
    const at = app.clock.now();
    const change = { id: createLogId(at), kind: "listing", slug, event, at };
    await app.deps.store.transact((tx) => tx.set(storeKeys.change(change.id), change));
    app.clock.advance(MINUTE_MS);
  };
  await note("from-elsewhere", "created");
  await note("waits", "submitted");
  const { nextSince } = (await app.json(`${PATH}?since=${start}`)).body;
  app.deps.catalogue.has = () => true;
  const { changes } = (await app.json(`${PATH}?since=${nextSince}`)).body;
  assertEquals(shown(changes), [["from-elsewhere", "created"]]);
});

Deno.test("GET changes never shows that a project was refused, even if it is shown later", async () => {
  await using app = await testApp();
  await list(app, "thinker");
  for (const [state, event] of [["hidden", "refused"], ["live", "shown"]] as const) {
    await setState(app, "thinker", state, event);
  }
  const { body } = await app.json(PATH);
  assertEquals(shown(body.changes), [["thinker", "created"], ["thinker", "shown"]]);
});
