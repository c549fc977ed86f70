import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { DAY_MS, delay, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { Velocity } from "@/lib/discovery/velocity.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { createLogId } from "@/lib/kv/log_id.ts";
import { type Pulse, Store } from "@/lib/kv/store.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { PublicListing } from "@/lib/listings/schema.ts";
import { createLog } from "@/lib/log.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { type FixedClock, fixedClock } from "../support/fixed_clock.ts";
import { kvWith } from "../support/kv_with.ts";
import { share } from "../support/skills.ts";
import { storedListing } from "../support/stored_listing.ts";

const slugs = (list: PublicListing[]) => list.map(({ slug }) => slug);

async function filledApp(count: number) {
  const kv = await Deno.openKv(":memory:");
  for (let i = 0; i < count; i++) {
    await kv.set(
      listingKeys.one(`p-${i}`),
      storedListing(`p-${i}`, { createdAt: TEST_NOW - i * DAY_MS }),
    );
  }
  return await testApp({ kv });
}

for (const limit of ["0", "26", "-1", "1.5", "abc", ""]) {
  Deno.test(`GET trending with limit=${limit} is invalid_input`, async () => {
    await using app = await testApp();
    for (const path of ["/api/v1/trending", "/api/v1/trending/full"]) {
      const { status, body } = await app.json(`${path}?limit=${limit}`);
      assertEquals([status, body.error.code], [400, "invalid_input"]);
      assertEquals(body.error.details[0], {
        field: "limit",
        message: "Must be a whole number from 1 to 25",
      });
    }
  });
}

Deno.test("GET trending of an empty directory has empty lists and no Front Row", async () => {
  await using app = await testApp();
  const { body } = await app.json("/api/v1/trending");
  assertEquals(body, { ok: true, frontRow: null, promoted: [], hot: [], new: [], gems: [] });
  const full = await app.json("/api/v1/trending/full");
  assertEquals(full.body, {
    ok: true,
    rising: [],
    newThisWeek: [],
    topSkillsThisWeek: [],
    frontRow: null,
    bestAi: null,
  });
});

Deno.test("GET trending limits each list, to 10 by default", async () => {
  await using app = await filledApp(12);
  assertEquals((await app.json("/api/v1/trending")).body.hot.length, 10);
  const { body } = await app.json("/api/v1/trending?limit=3");
  assertEquals(slugs(body.new), ["p-0", "p-1", "p-2"]);
  assertEquals(body.hot.length, 3);
  const { catalogue } = app.deps;
  const span = { startsAt: TEST_NOW - HOUR_MS, endsAt: TEST_NOW + HOUR_MS };
  for (let i = 0; i < 4; i++) {
    catalogue.setGem(`p-${i}`, { note: "Few votes yet", since: TEST_NOW });
    catalogue.setPromotion(`p-${4 + i}`, [{ tierId: "bump-3", ...span }]);
  }
  const cut = (await app.json("/api/v1/trending?limit=3")).body;
  assertEquals([cut.gems.length, cut.promoted.length], [3, 3]);
});

Deno.test("trending puts the Front Row first in promoted, then the tiers, each labeled", async () => {
  await using app = await filledApp(5);
  const { catalogue } = app.deps;
  const span = { startsAt: TEST_NOW - HOUR_MS, endsAt: TEST_NOW + HOUR_MS };
  catalogue.setPromotion("p-1", [{ tierId: "bump-3", ...span }]);
  catalogue.setPromotion("p-2", [{ tierId: "spotlight-30", ...span }]);
  catalogue.setPromotion("p-3", [{ tierId: "boost-7", ...span }]);
  catalogue.setPromotion("p-4", [{ tierId: "bump-3", ...span }]);
  catalogue.setFrontRow([{ slug: "p-4", ...span }]);
  catalogue.setGem("p-0", { note: "Few votes yet", since: TEST_NOW });
  const { body } = await app.json("/api/v1/trending");
  assertEquals(body.frontRow.slug, "p-4");
  assertEquals([body.frontRow.sponsored, body.frontRow.placement], [true, "front-row"]);
  assertEquals(slugs(body.promoted), ["p-4", "p-2", "p-3", "p-1"]);
  assertEquals(body.promoted[1].promotion.tierId, "spotlight-30");
  assertEquals(slugs(body.gems), ["p-0"]);
  assertEquals(slugs(body.hot), ["p-0", "p-1", "p-2", "p-3", "p-4"], "payment moves no order");
  app.clock.advance(HOUR_MS);
  const later = (await app.json("/api/v1/trending")).body;
  assertEquals([later.frontRow, later.promoted], [null, []]);
});

Deno.test("trending/full has projects rising by votes in 24 hours, and new ones of seven days", async () => {
  await using app = await filledApp(9);
  for (const [i, slug] of ["p-3", "p-8", "p-8"].entries()) {
    await app.request(`/api/v1/projects/${slug}/vote`, {
      method: "POST",
      address: `198.51.100.${i}`,
    });
  }
  const { body } = await app.json("/api/v1/trending/full");
  assertEquals(body.rising.map((p: { slug: string; votes24h: number }) => [p.slug, p.votes24h]), [
    ["p-8", 2],
    ["p-3", 1],
  ]);
  assertEquals(slugs(body.newThisWeek), ["p-0", "p-1", "p-2", "p-3", "p-4", "p-5", "p-6"]);
  const one = (await app.json("/api/v1/trending/full?limit=1")).body;
  assertEquals([slugs(one.rising), slugs(one.newThisWeek)], [["p-8"], ["p-0"]]);
  app.clock.advance(DAY_MS);
  assertEquals((await app.json("/api/v1/trending/full")).body.rising, []);
});

Deno.test("trending/full waits for the load of the day's votes", async () => {
  await using app = await filledApp(1);
  await app.request("/api/v1/projects/p-0/vote", { method: "POST" });
  app.deps.velocity.load();
  const { rising } = (await app.json("/api/v1/trending/full")).body;
  assertEquals(rising.map(({ votes24h }: { votes24h: number }) => votes24h), [1]);
});

Deno.test("trending/full has the top skills of seven days, the Front Row and the poll's leader", async () => {
  await using app = await filledApp(1);
  await share(app, { title: "Old" });
  app.clock.advance(7 * DAY_MS + 1);
  for (const title of ["Liked", "Young"]) {
    await share(app, { title });
    app.clock.advance(1);
  }
  for (const slug of ["old", "liked"]) {
    await app.request(`/api/v1/skills/${slug}/vote`, { method: "POST" });
  }
  for (const [i, candidate] of ["grok", "kimi", "kimi"].entries()) {
    const address = `198.51.100.${i}`;
    await app.json("/api/v1/poll/vote", { json: { candidate }, address });
  }
  const now = app.clock.now();
  app.deps.catalogue.setFrontRow([{ slug: "p-0", startsAt: now, endsAt: now + 1 }]);
  const { body } = await app.json("/api/v1/trending/full");
  assertEquals(
    body.topSkillsThisWeek.map(({ slug, votes }: { slug: string; votes: number }) => [slug, votes]),
    [["liked", 1], ["young", 0]],
  );
  const one = (await app.json("/api/v1/trending/full?limit=1")).body;
  assertEquals(one.topSkillsThisWeek.length, 1);
  assertEquals([body.frontRow.slug, body.frontRow.sponsored], ["p-0", true]);
  assertEquals([body.bestAi.candidate, body.bestAi.votes, body.bestAi.window], ["kimi", 2, "30d"]);
  const leader = async () => (await app.json("/api/v1/trending/full")).body.bestAi;
  for (let i = 3; i < 7; i++) {
    // The poll that was read is cached, but only until the next ballot.
    for (let reads = 0; reads < 3; reads++) await leader();
    const address = `198.51.100.${i}`;
    await app.json("/api/v1/poll/vote", { json: { candidate: "claude" }, address });
  }
  assertEquals([(await leader()).candidate, (await leader()).votes], ["claude", 4]);
});

Deno.test("rising equals a plain sum of the last day's votes in five-minute steps", () => {
  const vote = fc.record({
    slug: fc.constantFrom("a", "b", "c"),
    delta: fc.constantFrom(1, 1, -1),
    wait: fc.integer({ min: 0, max: 4 * HOUR_MS }),
  });
  fc.assert(
    fc.property(fc.array(vote, { maxLength: 60, size: "max" }), (votes) => {
      const clock = fixedClock(Math.floor(TEST_NOW / DAY_MS) * DAY_MS);
      const store = new Store({} as Deno.Kv, clock);
      const velocity = new Velocity({ store, log: createLog("silent") });
      const log: Pulse[] = [];
      for (const { slug, delta, wait } of votes) {
        clock.advance(Math.round(wait / (5 * MINUTE_MS)) * 5 * MINUTE_MS);
        const at = clock.now();
        const pulse: Pulse = { id: createLogId(at), kind: "vote", slug, delta, at };
        log.push(pulse);
        store.tell({ type: "pulse", pulse });
        const sums = new Map<string, number>();
        for (const { slug, delta } of log.filter((p) => p.at > at - DAY_MS)) {
          sums.set(slug, (sums.get(slug) ?? 0) + delta);
        }
        const expected = [...sums].filter(([, n]) => n > 0)
          .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
        const rising = (limit: number) =>
          velocity.rising(limit, () => true).map((r) => [r.slug, r.votes24h]);
        assertEquals(rising(100), expected);
        assertEquals(rising(2), expected.slice(0, 2));
        assertEquals(
          velocity.rising(2, (slug) => slug === "b").length,
          expected.filter(([s]) => s === "b").length,
        );
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("Velocity counts a vote that both the load and the log's tail deliver once, even from a fast clock", async () => {
  const kv = await Deno.openKv(":memory:");
  const store = new Store(kv, fixedClock(TEST_NOW));
  const pulses = [-1_000, 0, 3_000].map((ahead): Pulse => {
    const at = TEST_NOW + ahead;
    return { id: createLogId(at), kind: "vote", slug: "a", delta: 1, at };
  });
  for (const pulse of pulses) await kv.set(storeKeys.pulse(pulse.id), [pulse]);
  const velocity = new Velocity({ store, log: createLog("silent") });
  await velocity.load();
  assertEquals(velocity.rising(1, () => true), [{ slug: "a", votes24h: 3 }]);
  for (const pulse of pulses) store.tell({ type: "pulse", pulse, foreign: true });
  assertEquals(velocity.rising(1, () => true), [{ slug: "a", votes24h: 3 }]);
  kv.close();
});

Deno.test("Velocity counts a vote only once if it loads it long before the log's tail delivers it", async () => {
  const kv = await Deno.openKv(":memory:");
  const store = new Store(kv, fixedClock(TEST_NOW));
  const at = TEST_NOW - 17 * MINUTE_MS;
  const pulse: Pulse = { id: createLogId(at), kind: "vote", slug: "a", delta: 1, at };
  await kv.set(storeKeys.pulse(pulse.id), [pulse]);
  const velocity = new Velocity({ store, log: createLog("silent") });
  await velocity.load();
  store.tell({ type: "pulse", pulse, foreign: true });
  assertEquals(velocity.rising(1, () => true), [{ slug: "a", votes24h: 1 }]);
  kv.close();
});

Deno.test("Velocity counts a vote logged late, just before the load, once and from when it was cast", async () => {
  const kv = await Deno.openKv(":memory:");
  const clock = fixedClock(TEST_NOW);
  const store = new Store(kv, clock);
  const id = createLogId(TEST_NOW - MINUTE_MS);
  const pulse: Pulse = { id, kind: "vote", slug: "a", delta: 1, at: TEST_NOW - 20 * HOUR_MS };
  await kv.set(storeKeys.pulse(id), [pulse]);
  const velocity = new Velocity({ store, log: createLog("silent") });
  await velocity.load();
  assertEquals(velocity.rising(1, () => true), [{ slug: "a", votes24h: 1 }]);
  store.tell({ type: "pulse", pulse, foreign: true });
  assertEquals(velocity.rising(1, () => true), [{ slug: "a", votes24h: 1 }]);
  clock.advance(4 * HOUR_MS);
  assertEquals(velocity.rising(1, () => true), []);
  kv.close();
});

Deno.test("Velocity counts a vote from a clock days ahead for the day after it arrives", () => {
  const clock = fixedClock(TEST_NOW);
  const store = new Store({} as Deno.Kv, clock);
  const velocity = new Velocity({ store, log: createLog("silent") });
  const at = TEST_NOW + 2 * DAY_MS;
  const pulse: Pulse = { id: createLogId(at), kind: "vote", slug: "a", delta: 1, at };
  store.tell({ type: "pulse", pulse, foreign: true });
  clock.advance(DAY_MS - 1);
  assertEquals(velocity.rising(1, () => true), [{ slug: "a", votes24h: 1 }]);
  clock.advance(5 * MINUTE_MS);
  assertEquals(velocity.rising(1, () => true), []);
});

Deno.test("Velocity counts each vote of a log entry once, even if it spans the load", async () => {
  const kv = await Deno.openKv(":memory:");
  const clock = fixedClock(TEST_NOW);
  const store = new Store(kv, clock);
  const velocity = new Velocity({ store, log: createLog("silent") });
  const pulses = [-1, 0, 1].map((late): Pulse => {
    const at = TEST_NOW + late;
    return { id: createLogId(at), kind: "vote", slug: "a", delta: 1, at };
  });
  await kv.set(storeKeys.pulse(createLogId(TEST_NOW - 1)), pulses);
  await velocity.load();
  assertEquals(velocity.rising(1, () => true), [{ slug: "a", votes24h: 3 }]);
  clock.advance(1);
  for (const pulse of pulses) store.tell({ type: "pulse", pulse });
  assertEquals(velocity.rising(100, () => true), [{ slug: "a", votes24h: 3 }]);
  kv.close();
});

Deno.test("GET categories and tools count live projects for every value, including zero", async () => {
  await using app = await testApp();
  const submit = (name: string, fields: object, address: string) =>
    app.request("/api/v1/projects", {
      json: { name, url: `https://${name}.example.com`, tagline: "x", ...fields },
      address,
    });
  await submit("one", { category: "game", builtWith: ["claude", "human"] }, "198.51.100.1");
  await submit("two", { category: "game", builtWith: ["claude"] }, "198.51.100.2");
  const { categories } = (await app.json("/api/v1/categories")).body;
  assertEquals(categories.length, 13);
  const game = categories.find(({ slug }: { slug: string }) => slug === "game");
  assertEquals([game.count, game.page], [2, "http://projectory.test/c/game"]);
  const { tools } = (await app.json("/api/v1/tools")).body;
  assertEquals(tools.length, 28);
  await moveListing(app.deps, { slug: "two", step: "hide" });
  const without = (await app.json("/api/v1/categories")).body.categories;
  assertEquals(without.find(({ slug }: { slug: string }) => slug === "game").count, 1);
  const counted = tools.filter(({ count }: { count: number }) => count > 0);
  assertEquals(counted.map((t: { slug: string; count: number }) => [t.slug, t.count]), [
    ["claude", 2],
    ["human", 1],
  ]);
});

Deno.test("GET ranking states the formula of the hot score", async () => {
  await using app = await testApp();
  const { body } = await app.json("/api/v1/ranking");
  assertEquals(body.formula, "(votes + clicks * 0.1 + 1) / (ageHours + 2)^1.5");
  assertEquals(body.sorts.map(({ id }: { id: string }) => id), ["hot", "new", "top"]);
  assertMatch(body.explain, /explain=1$/);
});

Deno.test("Velocity logs that it can't load the day's votes, and counts new ones", async () => {
  const warnings: string[] = [];
  const log = { ...createLog("silent"), warn: (event: string) => void warnings.push(event) };
  const store = new Store({} as Deno.Kv, fixedClock(TEST_NOW));
  const velocity = new Velocity({ store, log });
  await velocity.load();
  assertEquals(warnings, ["velocity_not_loaded"]);
  const id = createLogId(TEST_NOW);
  const pulse: Pulse = { id, kind: "vote", slug: "a", delta: 1, at: TEST_NOW };
  store.tell({ type: "pulse", pulse });
  assertEquals(velocity.rising(1, () => true), [{ slug: "a", votes24h: 1 }]);
});

/** A KV with one vote for `a`. Advances the clock to an hour after it. */
async function votedAnHourAgo(clock: FixedClock): Promise<Deno.Kv> {
  const kv = await Deno.openKv(":memory:");
  await new Store(kv, clock).transact((tx) => tx.pulse({ kind: "vote", slug: "a", delta: 1 }));
  clock.advance(HOUR_MS);
  return kv;
}

Deno.test("Velocity retries a failed load after a second, and two loads at once count votes once", async () => {
  const clock = fixedClock(TEST_NOW);
  using kv = await votedAnHourAgo(clock);
  let isAway = true;
  const before = () => {
    if (isAway) throw new Error("away");
  };
  const store = new Store(kvWith(kv, { before }), clock);
  const velocity = new Velocity({ store, log: createLog("silent") });
  const votes = async () => {
    velocity.rising(1, () => true);
    await delay(20);
    return velocity.rising(1, () => true).map(({ votes24h }) => votes24h);
  };
  await velocity.load();
  clock.advance(1_000);
  assertEquals(await votes(), [], "it fails again");
  isAway = false;
  clock.advance(999);
  assertEquals(await votes(), []);
  clock.advance(1);
  assertEquals(await votes(), [1]);
  await Promise.all([velocity.load(), velocity.load()]);
  assertEquals(await votes(), [1]);
});

Deno.test("Velocity doesn't retry a failed load that another has replaced", async () => {
  const clock = fixedClock(TEST_NOW);
  using kv = await votedAnHourAgo(clock);
  const gate = Promise.withResolvers<void>();
  let lists = 0;
  const failing = {
    [Symbol.asyncIterator]: () => failing,
    async next(): Promise<IteratorResult<Deno.KvEntry<unknown>>> {
      await gate.promise;
      throw new Error("away");
    },
  };
  const list = (...args: Parameters<Deno.Kv["list"]>) => lists++ === 0 ? failing : kv.list(...args);
  const store = new Store(kvWith(kv, { list }), clock);
  const velocity = new Velocity({ store, log: createLog("silent") });
  const first = velocity.load();
  await velocity.load();
  gate.resolve();
  await first;
  clock.advance(1_000);
  assertEquals(velocity.rising(1, () => true), [{ slug: "a", votes24h: 1 }]);
});
