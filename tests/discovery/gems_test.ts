import { assert, assertEquals, assertRejects } from "@std/assert";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { dropGem, scoutGems, setGem } from "@/lib/discovery/gems.ts";
import { DomainError } from "@/lib/errors.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import { voteKeys } from "@/lib/votes/keys.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";
import { overtakenKv } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { storedListing } from "../support/stored_listing.ts";

const FULL: Partial<StoredListing> = {
  category: "game",
  tags: ["cli", "web"],
  builtWith: ["claude"],
  pricing: "free",
  repoUrl: "https://git.example.com/x",
  logoUrl: "https://x.example.com/logo.png",
  createdAt: TEST_NOW - 3 * DAY_MS,
};

async function appWith(rows: Record<string, Partial<StoredListing>>): Promise<TestApp> {
  const kv = await Deno.openKv(":memory:");
  for (const [slug, fields] of Object.entries(rows)) {
    const url = `https://${slug}.example/`;
    await kv.set(listingKeys.one(slug), storedListing(slug, { url, ...fields }));
  }
  return await testApp({ kv });
}

async function gems(app: TestApp): Promise<string[]> {
  await app.deps.sync.caughtUp();
  const { body } = await app.json("/api/v1/projects?gems=1&sort=new");
  return body.projects.map(({ slug }: { slug: string }) => slug).sort();
}

async function scout(app: TestApp): Promise<void> {
  await scoutGems(app.deps, app.clock.now());
}

const NEVER: Record<string, [fields: Partial<StoredListing>, reason: string]> = {
  young: [{ ...FULL, createdAt: TEST_NOW - 11 * HOUR_MS }, "under 12 hours old"],
  old: [{ ...FULL, createdAt: TEST_NOW - 14 * DAY_MS }, "14 days old"],
  bare: [{ createdAt: TEST_NOW - DAY_MS }, "nothing but name, URL and tagline"],
  hidden: [{ ...FULL, state: "hidden" }, "hidden"],
  pending: [{ ...FULL, state: "pending" }, "pending"],
};

for (const [slug, [fields, reason]] of Object.entries(NEVER)) {
  Deno.test(`scoutGems leaves out a listing that is ${reason}`, async () => {
    await using app = await appWith({ [slug]: fields, good: FULL });
    await scout(app);
    assertEquals(await gems(app), ["good"]);
    // It doesn't use up a pick either.
    assertEquals((await app.deps.store.get(listingKeys.gem(slug))).value, null);
  });
}

Deno.test("scoutGems leaves out listings with many votes, promoted and sponsored ones", async () => {
  const paid = { boosted: FULL, promoted: FULL, sponsored: FULL };
  await using app = await appWith({ ...paid, voted: FULL, worthy: FULL });
  const { catalogue, store } = app.deps;
  await store.transact((tx) => {
    tx.sum(voteKeys.count("listing", "voted", "up"), 10n);
  });
  catalogue.count("voted", ({ votes }) => ({ votes: votes + 10 }));
  const past = { startsAt: TEST_NOW - 2 * DAY_MS, endsAt: TEST_NOW - DAY_MS };
  catalogue.setPromotion("boosted", [{ tierId: "boost-7", ...past }]);
  catalogue.setPromotion("promoted", [{ tierId: "bump-3", ...past }]);
  catalogue.setFrontRow([{ slug: "sponsored", ...past }]);
  await scout(app);
  assertEquals(await gems(app), ["worthy"]);
  // Paid listings don't use up a pick either.
  for (const slug of Object.keys(paid)) {
    assertEquals((await store.get(listingKeys.gem(slug))).value, null, slug);
  }
});

Deno.test("scoutGems picks listings from 12 hours to under 14 days old, with up to nine votes", async () => {
  const young = { ...FULL, createdAt: TEST_NOW - 12 * HOUR_MS };
  const old = { ...FULL, createdAt: TEST_NOW - 14 * DAY_MS + 1 };
  await using app = await appWith({ young, old, liked: FULL });
  app.deps.catalogue.count("liked", ({ votes }) => ({ votes: votes + 9 }));
  await scout(app);
  assertEquals(await gems(app), ["liked", "old", "young"]);
});

Deno.test("scoutGems picks the three fullest listings once a day, however often it runs", async () => {
  await using app = await appWith({
    a: { ...FULL, logoUrl: null, repoUrl: null },
    b: FULL,
    c: { ...FULL, logoUrl: null },
    d: FULL,
    e: { ...FULL, logoUrl: null, repoUrl: null, pricing: null },
  });
  // Votes decide only among equally full listings.
  app.deps.catalogue.count("d", ({ votes }) => ({ votes: votes + 9 }));
  await Promise.all([scout(app), scout(app)]);
  await scout(app);
  assertEquals(await gems(app), ["b", "c", "d"]);
  const { changes } = (await app.json("/api/v1/changes")).body;
  assertEquals(
    changes.map((change: { event: string; slug: string }) => [change.event, change.slug]),
    ["b", "d", "c"].map((slug) => ["gem", slug]),
  );
  app.clock.advance(DAY_MS);
  await scout(app);
  assertEquals(await gems(app), ["a", "b", "c", "d", "e"]);
});

Deno.test("scoutGems leaves out gems that the operator dropped, and picks others instead", async () => {
  await using app = await appWith({ dropped: FULL, a: FULL, b: FULL, c: FULL, d: FULL });
  await setGem(app.deps, { slug: "dropped", note: "Worth a look" });
  await dropGem(app.deps, "dropped");
  await scout(app);
  assertEquals(await gems(app), ["a", "b", "c"]);
  await dropGem(app.deps, "a");
  app.clock.advance(DAY_MS);
  await scout(app);
  assertEquals(await gems(app), ["b", "c", "d"]);
  await setGem(app.deps, { slug: "a", note: "Worth another look" });
  assertEquals(await gems(app), ["a", "b", "c", "d"]);
});

Deno.test("scoutGems keeps a gem that the operator set after this process read the log", async () => {
  const kv = await Deno.openKv(":memory:");
  const url = "https://a.example/";
  await kv.set(listingKeys.one("a"), storedListing("a", { ...FULL, url }));
  await using app = await testApp({ kv });
  const operator = await testApp({ kv });
  const gem = await setGem(operator.deps, { slug: "a", note: "Worth a look" });
  await scout(app);
  assertEquals((await app.deps.store.get(listingKeys.gem("a"))).value, gem);
  const { changes } = (await operator.json("/api/v1/changes")).body;
  assertEquals(changes.map(({ event }: { event: string }) => event), ["gem"]);
});

Deno.test("scoutGems notices what another process does to its pick as it commits", async () => {
  const url = "https://a.example/";
  const chosen = { note: "Worth a look", since: TEST_NOW };
  const hidden = storedListing("a", { url, state: "hidden" });
  for (
    const [key, value, gem] of [
      [listingKeys.gem("a"), chosen, chosen],
      [listingKeys.one("a"), hidden, null],
    ] as const
  ) {
    const { kv, others, overtake } = await overtakenKv();
    await others.set(listingKeys.one("a"), storedListing("a", { ...FULL, url }));
    await using app = await testApp({ kv });
    overtake(() => others.set(key, value));
    await scout(app);
    assertEquals((await others.get(listingKeys.gem("a"))).value, gem);
  }
});

Deno.test("scoutGems draws among the fullest entries with the fewest votes, anew each day", async () => {
  const slugs = Array.from({ length: 40 }, (_, i) => `p${i}`);
  const rows = Object.fromEntries(slugs.map((slug, i) => [slug, {
    ...FULL,
    createdAt: FULL.createdAt! - i * HOUR_MS,
  }]));
  const drawn = (app: TestApp, day: string) => {
    const draw = (slug: string) => app.deps.identity.ofDay(day, slug);
    return slugs.toSorted((a, b) => draw(a) < draw(b) ? -1 : 1);
  };
  await using app = await appWith({ liked: FULL, ...rows });
  app.deps.catalogue.count("liked", ({ votes }) => ({ votes: votes + 1 }));
  await scout(app);
  const first = await gems(app);
  assertEquals(first, drawn(app, "2026-03-04").slice(0, 3).sort());
  app.clock.advance(DAY_MS);
  await scout(app);
  const rest = drawn(app, "2026-03-05").filter((slug) => !first.includes(slug));
  assertEquals(await gems(app), [...first, ...rest.slice(0, 3)].sort());
});

Deno.test("scoutGems picks one entry per domain a day, but counts sites on a shared host separately", async () => {
  const at = (url: string) => ({ ...FULL, url });
  await using app = await appWith({
    a: at("https://one.evil.com/"),
    b: at("https://two.evil.com/"),
    c: at("https://evil.com/three"),
    d: at("https://first.github.io/"),
    e: at("https://second.github.io/"),
  });
  await scout(app);
  const picked = await gems(app);
  assertEquals([picked.length, ...picked.slice(1)], [3, "d", "e"]);
});

Deno.test("scoutGems looks at every listing, however many there are", async () => {
  const rows: Record<string, Partial<StoredListing>> = {};
  for (let i = 0; i < 99; i++) rows[`young-${i}`] = { createdAt: TEST_NOW - HOUR_MS };
  rows.a = { ...FULL, createdAt: TEST_NOW - DAY_MS };
  rows.b = { ...FULL, logoUrl: null, createdAt: TEST_NOW - 2 * DAY_MS };
  rows.c = { ...FULL, logoUrl: null, repoUrl: null };
  await using app = await appWith(rows);
  await scout(app);
  assertEquals(await gems(app), ["a", "b", "c"]);
});

Deno.test("a gem's note names only what the entry has", async () => {
  await using app = await testApp();
  const least = {
    description: "x".repeat(120),
    tags: ["one"],
    logoUrl: "https://x.example.com/l.png",
  };
  await submit(app, { name: "Full", ...least });
  await submit(app, { name: "Short", ...least, description: "x".repeat(119) });
  await submit(app, { name: "Untagged", ...least, tags: [] });
  await submit(app, { name: "Unmarked", ...least, logoUrl: null });
  app.clock.advance(DAY_MS);
  await scout(app);
  assertEquals(await gems(app), ["full"]);
  assertEquals(
    app.deps.catalogue.get("full")!.gem!.note,
    "Picked for its detailed page: description, tags and logo",
  );
});

Deno.test("a gem's note lists facts, and ends after 14 days or when promoted", async () => {
  await using app = await appWith({ a: FULL, b: FULL });
  await scout(app);
  await app.deps.sync.caughtUp();
  const { gem } = app.deps.catalogue.get("a")!;
  assertEquals(
    gem!.note,
    "Picked for its detailed page: category, tags, tools, pricing, source code and logo",
  );
  const span = { startsAt: TEST_NOW, endsAt: TEST_NOW + HOUR_MS };
  app.deps.catalogue.setPromotion("a", [{ tierId: "bump-3", ...span }]);
  assertEquals(await gems(app), ["b"]);
  app.clock.advance(11 * DAY_MS - 1);
  assertEquals(await gems(app), ["b"], "a promotion that is over does not bring the gem back");
  app.clock.advance(1);
  assertEquals(await gems(app), []);
});

Deno.test("setGem and dropGem take effect, and refuse listings that can't be gems", async () => {
  await using app = await appWith({
    a: {},
    old: { createdAt: TEST_NOW - 15 * DAY_MS },
    hidden: { state: "hidden" },
    paid: {},
  });
  await setGem(app.deps, { slug: "a", note: "Worth a look" });
  assertEquals(await gems(app), ["a"]);
  assertEquals(app.deps.catalogue.get("a")!.gem!.note, "Worth a look");
  await dropGem(app.deps, "a");
  assertEquals(await gems(app), []);
  const { changes } = (await app.json("/api/v1/changes")).body;
  assertEquals(changes.map(({ event }: { event: string }) => event), ["gem", "gem_ended"]);

  const past = { startsAt: TEST_NOW - DAY_MS, endsAt: TEST_NOW };
  app.deps.catalogue.setPromotion("paid", [{ tierId: "bump-3", ...past }]);
  const set = (slug: string) => setGem(app.deps, { slug, note: "x" });
  const refusals: [run: () => Promise<unknown>, code: string, message?: string][] = [
    [() => dropGem(app.deps, "a"), "not_found", "a is not a gem"],
    [() => set("nobody"), "not_found", "There is no live listing with the slug nobody"],
    [() => set("hidden"), "not_found", "There is no live listing with the slug hidden"],
    [() => set("old"), "invalid_input"],
    [() => set("paid"), "invalid_input"],
  ];
  for (const [run, code, message] of refusals) {
    const error = await assertRejects(run, DomainError, message);
    assert(error.code === code, `${error.code} instead of ${code}`);
  }
});
