import { assert, assertEquals, assertRejects } from "@std/assert";
import { auctionKeys } from "@/lib/auctions/keys.ts";
import { DAY_MS, delay, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { DomainError } from "@/lib/errors.ts";
import { guestbookKeys } from "@/lib/guestbook/keys.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { logIdAt } from "@/lib/kv/log_id.ts";
import { type Change, type KvLike, type News, type Pulse, Store } from "@/lib/kv/store.ts";
import { LogTail } from "@/lib/kv/tail.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { createLog } from "@/lib/log.ts";
import { promotionKeys } from "@/lib/promotions/keys.ts";
import { voteKeys } from "@/lib/votes/keys.ts";
import { exchangeNews, TEST_NOW, testApp } from "../support/app.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";
import { storedListing } from "../support/stored_listing.ts";

let serial = 0;

/** Nothing has to be reloaded. */
const caughtUp = () => Promise.resolve();

/** An id as another process would make it. */
function foreignId(at: number): string {
  return `${logIdAt(at)}${String(serial++).padStart(4, "0")}another`;
}

/** Writes to the logs like another process. */
async function writeElsewhere(kv: Deno.Kv, at: number, slug: string): Promise<void> {
  const change: Change = { id: foreignId(at), kind: "listing", slug, event: "updated", at };
  const pulse: Pulse = { id: foreignId(at), kind: "vote", slug, delta: 1, at };
  await kv.atomic()
    .set(storeKeys.change(change.id), change)
    .set(storeKeys.pulse(pulse.id), pulse)
    .sum([...storeKeys.revision], 1n)
    .commit();
}

async function setUp() {
  const kv = await Deno.openKv(":memory:");
  const clock = fixedClock(TEST_NOW);
  let down = false;
  let lists = 0;
  const flaky = kvWith(kv, {
    before(method) {
      if (method === "list") lists++;
      if (down) throw new Error("down");
    },
  });
  const store = new Store(flaky, clock);
  const heard: News[] = [];
  store.subscribe((news) => heard.push(news));
  const logged: string[] = [];
  const note = (event: string) => logged.push(event);
  const log = { debug: note, info: note, warn: note, error: note };
  const slugs = () =>
    heard.splice(0).map((n) => n.type === "change" ? n.change.slug : `${n.pulse.slug}+`);
  return {
    kv,
    clock,
    store,
    heard,
    slugs,
    tail: new LogTail({ store, log, caughtUp }),
    logged,
    /** How many ranges have been read so far. */
    lists: () => lists,
    fail: (value: boolean) => {
      down = value;
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("a request waits for the log only if it was last read more than a second ago", async () => {
  using world = await setUp();
  const { kv, clock, tail } = world;
  await tail.begin();
  await writeElsewhere(kv, clock.now(), "a");
  assertEquals(tail.upToDate(), undefined, "it was read just now");
  clock.advance(399);
  assertEquals(tail.upToDate(), undefined);
  await delay(20);
  assertEquals(world.slugs(), [], "nothing is polled within 400 ms");
  clock.advance(1);
  assertEquals(tail.upToDate(), undefined, "it is polled, and nobody waits");
  while (world.heard.length < 2) await delay(1);
  assertEquals(world.slugs(), ["a", "a+"]);
  await writeElsewhere(kv, clock.now(), "b");
  clock.advance(10_000);
  await Promise.all([tail.upToDate(), tail.upToDate()]);
  assertEquals(world.slugs(), ["b", "b+"]);
  assertEquals([tail.upToDate(), tail.lag], [undefined, 0]);
});

Deno.test("no request waits for a failing KV, and the tail catches up once it's back", async () => {
  using world = await setUp();
  const { kv, clock, tail } = world;
  await tail.begin();
  world.fail(true);
  clock.advance(20_000);
  await tail.upToDate();
  assertEquals(tail.staleSince, TEST_NOW);
  assertEquals(tail.upToDate(), undefined);
  await delay(5);
  world.fail(false);
  await writeElsewhere(kv, clock.now(), "a");
  tail.upToDate();
  while (world.heard.length < 2) await delay(1);
  assertEquals([world.slugs(), tail.staleSince], [["a", "a+"], null]);
  await tail.poll();
  assertEquals([...new Set(world.logged)], ["tail_failed", "tail_back"]);
  assertEquals(world.logged.filter((event) => event === "tail_back").length, 1);
});

Deno.test("the first request after an idle time waits, even if KV failed before it", async () => {
  using world = await setUp();
  const { kv, clock, tail } = world;
  await tail.begin();
  world.fail(true);
  clock.advance(20_000);
  await tail.upToDate();
  world.fail(false);
  await writeElsewhere(kv, clock.now(), "a");
  clock.advance(10_000);
  await tail.upToDate();
  assertEquals([world.slugs(), tail.lag], [["a", "a+"], 0]);
});

Deno.test("KV isn't polled while there are no requests", async () => {
  const clock = fixedClock(TEST_NOW);
  const kv = await Deno.openKv(":memory:");
  let reads = 0;
  const counting = kvWith(
    kv,
    {
      get: (...args: Parameters<typeof kv.get>) => (reads++, kv.get(...args)),
      list: (...args: Parameters<typeof kv.list>) => (reads++, kv.list(...args)),
    } as Parameters<typeof kvWith>[1],
  );
  const tail = new LogTail({
    store: new Store(counting, clock),
    log: createLog("silent"),
    caughtUp,
  });
  await tail.begin();
  const before = reads;
  tail.start();
  clock.advance(10_000);
  await delay(1_200);
  assertEquals(reads, before);
  await tail.upToDate();
  assert(reads > before);
  tail.stop();
  kv.close();
});

/** A tail with news from another process. `reloaded` ends the reload of what changed. */
async function reloadingTail() {
  const clock = fixedClock(TEST_NOW);
  const kv = await Deno.openKv(":memory:");
  const { promise, resolve: reloaded } = Promise.withResolvers<void>();
  const store = new Store(kv, clock);
  const tail = new LogTail({ store, log: createLog("silent"), caughtUp: () => promise });
  await tail.begin();
  await writeElsewhere(kv, clock.now(), "a");
  clock.advance(5_000);
  return { tail, reloaded, [Symbol.dispose]: () => kv.close() };
}

Deno.test("a request waits until changes by others have been reloaded", async () => {
  using world = await reloadingTail();
  const { tail, reloaded } = world;
  let isUpToDate = false;
  const waiting = tail.upToDate()!.then(() => isUpToDate = true);
  await delay(50);
  assertEquals(isUpToDate, false);
  reloaded();
  await waiting;
  assertEquals(tail.lag, 0);
});

Deno.test("requests keep waiting if reloading what others changed takes over a second", async () => {
  using world = await reloadingTail();
  const { tail, reloaded } = world;
  await tail.upToDate();
  assertEquals(tail.lag, 5_000);
  const waiting = tail.upToDate();
  reloaded();
  await waiting;
  assertEquals([tail.lag, tail.upToDate()], [0, undefined]);
});

Deno.test("an unresponsive KV delays a request by up to a second", async () => {
  const clock = fixedClock(TEST_NOW);
  const kv = await Deno.openKv(":memory:");
  const store = new Store(kvWith(kv, { get: () => new Promise(() => {}) }), clock, {
    deadlineMs: 2_000,
  });
  const tail = new LogTail({ store, log: createLog("silent"), caughtUp });
  clock.advance(5_000);
  const begun = performance.now();
  await tail.upToDate();
  const waited = performance.now() - begun;
  assert(waited >= 900 && waited < 1_900, `${waited} ms`);
  while (tail.upToDate() !== undefined) await delay(50);
  kv.close();
});

Deno.test("poll delivers another process's entries once, marked as foreign, and none of its own", async () => {
  using world = await setUp();
  const { kv, clock, store, tail } = world;
  await writeElsewhere(kv, clock.now(), "a");
  await store.transact((tx) => {
    tx.change({ kind: "listing", slug: "own", event: "updated" });
  });
  world.heard.length = 0;
  await tail.poll();
  assert(world.heard.every((news) => news.foreign));
  assertEquals(world.slugs(), ["a", "a+"]);
  await tail.poll();
  clock.advance(500);
  await writeElsewhere(kv, clock.now(), "b");
  await tail.poll();
  assertEquals(world.slugs(), ["b", "b+"]);
});

Deno.test("poll reads no log entries from before begin, but finds late ones since", async () => {
  using world = await setUp();
  const { kv, clock, tail } = world;
  await writeElsewhere(kv, clock.now() - HOUR_MS, "before");
  await tail.begin();
  await tail.poll();
  clock.advance(30_000);
  await tail.poll();
  assertEquals(world.lists(), 0);
  await writeElsewhere(kv, clock.now() - 60_000, "very late");
  await tail.poll();
  assertEquals(world.slugs(), ["very late", "very late+"]);
});

Deno.test("poll finds entries committed late, even a minute late", async () => {
  using world = await setUp();
  const { kv, clock, tail } = world;
  await tail.poll();
  clock.advance(5_000);
  await writeElsewhere(kv, clock.now(), "now");
  await tail.poll();
  await writeElsewhere(kv, clock.now() - 2_000, "late");
  await tail.poll();
  assertEquals(world.slugs(), ["now", "now+", "late", "late+"]);
  await writeElsewhere(kv, clock.now() - 60_000, "very late");
  clock.advance(30_000);
  await tail.poll();
  assertEquals(world.slugs(), ["very late", "very late+"]);
});

Deno.test("poll reads no log for this process's writes, and misses no writes by others among them", async () => {
  using world = await setUp();
  const { kv, clock, store, tail } = world;
  await tail.poll();
  const before = world.lists();
  let writing = true;
  const write = async () => {
    while (writing) {
      await store.transact((tx) => {
        tx.pulse({ kind: "vote", slug: "own", delta: 1 });
      });
    }
  };
  const writers = Array.from({ length: 30 }, write);
  for (let i = 0; i < 10; i++) await tail.poll();
  assertEquals(world.lists(), before);
  for (let i = 0; i < 5; i++) {
    world.heard.length = 0;
    await writeElsewhere(kv, clock.now(), `b${i}`);
    await tail.poll();
    assertEquals(world.slugs().filter((slug) => slug.startsWith("b")), [`b${i}`, `b${i}+`]);
  }
  writing = false;
  await Promise.all(writers);
});

Deno.test("poll rereads minutes, not hours, when it finds a foreign entry after hours of idling", async () => {
  using world = await setUp();
  const { kv, clock, tail } = world;
  await tail.poll();
  const hours = clock.now();
  for (let i = 0; i < 120; i++) {
    clock.advance(MINUTE_MS);
    await tail.poll();
  }
  await writeElsewhere(kv, clock.now(), "b");
  await kv.set(storeKeys.pulse(foreignId(hours)), { id: foreignId(hours), slug: "old" });
  await tail.poll();
  assertEquals(world.slugs(), ["b", "b+"]);
});

Deno.test("poll finds foreign entries once each after the clock was set forward or back", async () => {
  using world = await setUp();
  const { kv, clock, tail } = world;
  await tail.poll();
  const start = clock.now();
  for (const [to, slug] of [[40 * DAY_MS, "on"], [0, "back"], [-DAY_MS, "before"]] as const) {
    clock.set(start + to);
    await writeElsewhere(kv, clock.now(), slug);
    await tail.poll();
    assertEquals(world.slugs(), [slug, `${slug}+`]);
    assertEquals(tail.lag, 0);
  }
  for (let i = 0; i < 3; i++) {
    clock.advance(DAY_MS);
    await writeElsewhere(kv, clock.now(), `later-${i}`);
    await tail.poll();
    assertEquals(world.slugs(), [`later-${i}`, `later-${i}+`]);
  }
});

Deno.test("poll repeats no entry after the clock was set back by minutes", async () => {
  using world = await setUp();
  const { kv, clock, tail } = world;
  for (let i = 0; i < 40; i++) {
    await writeElsewhere(kv, clock.now(), `p-${i}`);
    await tail.poll();
    clock.advance(30_000);
  }
  world.slugs();
  clock.set(clock.now() - 8 * MINUTE_MS);
  await writeElsewhere(kv, clock.now(), "next");
  await tail.poll();
  assertEquals(world.slugs(), ["next", "next+"]);
});

Deno.test("poll finds entries of a writer whose clock is a minute behind", async () => {
  using world = await setUp();
  const { kv, clock, tail } = world;
  await tail.poll();
  clock.advance(35_000);
  await writeElsewhere(kv, clock.now(), "now");
  await tail.poll();
  clock.advance(1_000);
  await writeElsewhere(kv, clock.now() - MINUTE_MS, "behind");
  await tail.poll();
  clock.advance(30_000);
  await tail.poll();
  assertEquals(world.slugs(), ["now", "now+", "behind", "behind+"]);
});

/** The KV as another process uses it, whose commits wait for `landing`. */
function elsewhere(kv: Deno.Kv, landing: () => Promise<void>): KvLike {
  const renamed = <T>(part: T): T =>
    JSON.parse(JSON.stringify(part).replace(/\b([0-9a-z]{14})[0-9a-z]{7}\b/g, "$1another"));
  return kvWith(kv, {
    operation(operation) {
      const { check, set } = operation;
      operation.check = (entry) => check.call(operation, { ...entry, key: renamed(entry.key) });
      operation.set = (key, value, options) =>
        set.call(operation, renamed(key), renamed(value), options);
    },
    commit: (land) => landing().then(land),
  });
}

Deno.test("poll finds a write that landed minutes late in another process", async () => {
  using world = await setUp();
  const { kv, clock, tail } = world;
  await tail.poll();
  const landing = Promise.withResolvers<void>();
  const other = new Store(elsewhere(kv, () => landing.promise), clock);
  const writes = ["late", "later"].map((slug) =>
    other.transact((tx) => {
      tx.change({ kind: "listing", slug, event: "hidden" });
      tx.pulse({ kind: "vote", slug, delta: 1 });
    })
  );
  for (let i = 0; i < 20; i++) {
    clock.advance(15_000);
    await writeElsewhere(kv, clock.now(), "between");
    await tail.poll();
  }
  world.heard.length = 0;
  landing.resolve();
  await Promise.all(writes);
  await other.idle();
  await tail.poll();
  assertEquals(world.slugs().sort(), ["late", "late+", "later", "later+"]);
  // The repeated entry doesn't count again, and comes after what readers of the log have read.
  const pulses = await Array.fromAsync(kv.list<Pulse[]>({ prefix: storeKeys.pulses }));
  const deltas = pulses.flatMap(({ value }) => value).filter(({ slug }) => slug === "late");
  assertEquals(deltas.map(({ delta }) => delta), [1, 0]);
  clock.advance(15_000);
  await tail.poll();
  assertEquals(world.slugs(), []);
});

Deno.test("poll throws storage_unavailable while KV is down, and catches up afterward", async () => {
  using world = await setUp();
  const { kv, clock, tail } = world;
  await tail.poll();
  world.fail(true);
  const error = await assertRejects(() => tail.poll(), DomainError);
  assertEquals(error.code, "storage_unavailable");
  for (let i = 0; i < 5; i++) {
    clock.advance(HOUR_MS);
    await writeElsewhere(kv, clock.now(), `missed-${i}`);
  }
  await assertRejects(() => tail.poll(), DomainError);
  assertEquals(tail.lag, 5 * HOUR_MS);
  world.fail(false);
  await tail.poll();
  assertEquals(tail.lag, 0);
  assertEquals(world.slugs().filter((slug) => !slug.endsWith("+")), [
    "missed-0",
    "missed-1",
    "missed-2",
    "missed-3",
    "missed-4",
  ]);
});

Deno.test("lists keep working while KV is down, and catch up afterward", async () => {
  const kv = await Deno.openKv(":memory:");
  await kv.set(listingKeys.one("a"), storedListing("a"));
  let down = false;
  const flaky = kvWith(kv, {
    before() {
      if (down) throw new Error("down");
    },
  });
  await using app = await testApp({ kv: flaky });
  const { tail, sync } = app.deps;
  down = true;
  await assertRejects(() => tail.poll());
  assertEquals((await app.json("/api/v1/projects")).body.total, 1);
  assertEquals((await app.json("/api/v1/trending")).status, 200);
  assertEquals((await app.json("/api/v1/projects/a/vote", { method: "POST" })).status, 503);
  down = false;
  await kv.set(listingKeys.one("b"), storedListing("b"));
  await kv.atomic().sum(voteKeys.count("listing", "a", "up"), 3n).commit();
  await writeElsewhere(kv, app.clock.now(), "a");
  await writeElsewhere(kv, app.clock.now(), "b");
  await tail.poll();
  await sync.caughtUp();
  const { body } = await app.json("/api/v1/projects?sort=top");
  assertEquals(body.projects.map((p: { slug: string; votes: number }) => [p.slug, p.votes]), [
    ["a", 3],
    ["b", 0],
  ]);
});

Deno.test("what another process wrote while KV was failing is shown once it recovers", async () => {
  const kv = await Deno.openKv(":memory:");
  let down = false;
  const flaky = kvWith(kv, {
    getMany(keys) {
      // The guestbook's revision can be read, but not its changes.
      if (down && keys[0]![0] !== guestbookKeys.revision[0]) throw new Error("down");
      return kv.getMany(keys);
    },
    close() {},
  });
  await using other = await testApp({ kv });
  await using app = await testApp({ kv: flaky });
  const { project: { slug }, editKey } = await submit(other, { name: "Before" });
  const { project: voted } = await submit(other);
  const skill = await share(other);
  exchangeNews(app, other);
  const { sync, placements } = app.deps;
  await sync.load();
  const shown = async () => {
    const { project } = (await app.json(`/api/v1/projects/${slug}`)).body;
    const { name, promoted, sponsored } = project;
    const { votes } = app.deps.catalogue.get(voted.slug)!;
    const { votes: ofSkill } = (await app.json("/api/v1/skills")).body.skills[0];
    const { todayWall, unavailable } = (await app.json("/api/v1/guestbook")).body;
    return { name, votes, promoted, sponsored, ofSkill, wall: todayWall.length, unavailable };
  };
  const before = {
    name: "Before",
    votes: 0,
    promoted: false,
    sponsored: false,
    ofSkill: 0,
    wall: 0,
    unavailable: false,
  };
  assertEquals(await shown(), before);

  down = true;
  await other.json(`/api/v1/projects/${slug}`, {
    method: "PATCH",
    json: { name: "After" },
    headers: { authorization: `Bearer ${editKey}` },
  });
  await other.json(`/api/v1/projects/${voted.slug}/vote`, { method: "POST" });
  await other.json(`/api/v1/skills/${skill.slug}/vote`, { method: "POST" });
  await other.json("/api/v1/guestbook", { json: { agentName: "Ada", catchphrase: "Hello" } });
  const period = "front-row-2026-03-02";
  await other.deps.store.transact((tx) => {
    tx.set(promotionKeys.one(slug), { asOf: TEST_NOW, left: { "bump-3": 3 * DAY_MS } });
    tx.change({ kind: "listing", slug, event: "promoted" });
    tx.set(auctionKeys.one(period), { id: period, outcome: "won", high: { slug } });
    tx.change({ kind: "site", slug: "front-row", event: "closed" });
    return Promise.resolve();
  });
  assertEquals(await shown(), { ...before, unavailable: true });
  // Everything is retried without success.
  await delay(1_100);

  down = false;
  await Promise.all([sync.caughtUp(), placements.caughtUp()]);
  assertEquals(await shown(), {
    name: "After",
    votes: 1,
    promoted: true,
    sponsored: true,
    ofSkill: 1,
    wall: 1,
    unavailable: false,
  });
});
