import { assertEquals, assertStringIncludes } from "@std/assert";
import { verify } from "@/lib/backup/verify.ts";
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "@/lib/clock.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";
import { addressOf, submit } from "../support/listings.ts";
import { operator, operatorJson } from "../support/operator.ts";
import { share } from "../support/skills.ts";

/** An item that can be voted for: the area of its commands, its slug and its API path. */
interface Item {
  area: "listings" | "skills";
  slug: string;
  path: string;
}

async function items(app: TestApp): Promise<Item[]> {
  const { slug } = (await submit(app)).project;
  const skill = (await share(app)).slug;
  return [
    { area: "listings", slug, path: `/api/v1/projects/${slug}` },
    { area: "skills", slug: skill, path: `/api/v1/skills/${skill}` },
  ];
}

/** Votes once from each of the networks, which are far apart. Returns the last response. */
async function vote(app: TestApp, { path }: Item, networks: number[], method = "POST") {
  let answer;
  for (const n of networks) {
    answer = (await app.json(`${path}/vote`, { method, address: addressOf(n * 256) })).body;
  }
  return [answer?.voted, answer?.votes, answer?.changed];
}

async function shownVotes(app: TestApp, { area, path }: Item): Promise<number> {
  const { body } = await app.json(path);
  return area === "listings" ? body.project.votes : body.skill.votes;
}

async function figures(app: TestApp, { area, slug }: Item) {
  return (await operatorJson(app, area, "votes", slug)).figures;
}

function hold(app: TestApp, { area, slug }: Item, from: number, until: number) {
  const span = ["--from", isoTime(from), "--until", isoTime(until)];
  return operator(app, area, "hold", slug, ...span, "--reason", "spam");
}

Deno.test("operator listings votes and skills votes call three votes in the first minute suspicious", async () => {
  await using app = await testApp();
  for (const item of await items(app)) {
    const publishedAt = app.clock.now();
    await vote(app, item, [1, 2]);
    app.clock.advance(MINUTE_MS);
    await vote(app, item, [3]);
    assertEquals((await figures(app, item)).suspicious, false);
    app.clock.advance(HOUR_MS);
    for (const [network, userAgent] of [[1, "b"], [2, "b"], [1, "c"], [4, "b"]] as const) {
      const address = addressOf(network * 256);
      await app.request(`${item.path}/vote`, { method: "POST", address, userAgent });
    }
    assertEquals(await figures(app, item), {
      publishedAt: isoTime(publishedAt),
      votes: 7,
      held: 0,
      withinFirstMinute: 2,
      busiestHours: [
        { from: isoTime(publishedAt + HOUR_MS), votes: 4, held: 0 },
        { from: isoTime(publishedAt), votes: 3, held: 0 },
      ],
      votersByNetwork: [3, 2, 1, 1],
      suspicious: false,
    });
    // The next item was published at the same time.
    app.clock.set(publishedAt);
  }
  for (const item of await items(app)) {
    await vote(app, item, [1, 2, 3]);
    const { withinFirstMinute, suspicious } = await figures(app, item);
    assertEquals([withinFirstMinute, suspicious], [3, true]);
  }
});

Deno.test("votes from before a listing was approved again are not from its first minute", async () => {
  await using app = await testApp();
  const [listing] = await items(app) as [Item, Item];
  app.clock.advance(HOUR_MS);
  await vote(app, listing, [1, 2, 3]);
  app.clock.advance(HOUR_MS);
  await operator(app, "listings", "requeue", listing.slug);
  await operator(app, "listings", "approve", listing.slug);
  const { votes, withinFirstMinute, suspicious } = await figures(app, listing);
  assertEquals([votes, withinFirstMinute, suspicious], [3, 0, false]);
});

Deno.test("operator rings lists suspicious entries of the last seven days, until hidden or their votes held", async () => {
  await using app = await testApp();
  const both = await items(app);
  const rings = async ({ area }: Item) =>
    (await operatorJson(app, area, "rings")).rings
      .map(({ slug }: { slug: string }) => slug);
  for (const item of both) {
    await vote(app, item, [1, 2]);
    assertEquals(await rings(item), []);
    await vote(app, item, [3]);
    assertEquals(await rings(item), [item.slug]);
    const { stdout } = await operator(app, item.area, "rings");
    assertEquals(
      stdout,
      `${
        isoTime(TEST_NOW)
      }  ${item.slug}  3 votes, 3 in the first minute, 1 from one network\n1 suspicious\n`,
    );
    await operator(app, item.area, "hide", item.slug);
    assertEquals(await rings(item), []);
    await operator(app, item.area, "unhide", item.slug);
  }
  app.clock.advance(7 * DAY_MS);
  for (const item of both) {
    const { area, slug } = item;
    const [listing, skill] = await items(app) as [Item, Item];
    const newest = area === "listings" ? listing : skill;
    await vote(app, newest, [1, 2, 3]);
    assertEquals(await rings(item), [newest.slug, slug], "the newest first");
    await operator(app, area, "hide", newest.slug);
  }
  await hold(app, both[0]!, TEST_NOW, TEST_NOW + 1);
  assertEquals(await rings(both[0]!), []);
  app.clock.advance(1);
  assertEquals(await rings(both[1]!), []);
});

Deno.test("10 votes from 10 addresses of an IPv4 /24 look like a ring, and 100 from 100 networks don't", async () => {
  await using app = await testApp();
  const [listing, skill] = await items(app);
  app.clock.advance(HOUR_MS);
  const cast = (item: Item, address: string) =>
    app.request(`${item.path}/vote`, { method: "POST", address });
  for (let i = 0; i < 10; i++) await cast(listing!, `203.0.113.${i}`);
  for (let i = 0; i < 100; i++) await cast(skill!, `20.${i}.1.1`);
  const found = await figures(app, listing!);
  assertEquals([found.suspicious, found.votersByNetwork], [true, [10]]);
  assertEquals((await figures(app, skill!)).suspicious, false);
  const rings = (area: string) => operator(app, area, "rings");
  assertStringIncludes((await rings("listings")).stdout, "10 from one network");
  assertEquals((await rings("skills")).stdout, "0 suspicious\n");
  const [newer] = await items(app);
  await vote(app, newer!, [1, 2, 3]);
  const slugs = (await operatorJson(app, "listings", "rings")).rings
    .map(({ slug }: { slug: string }) => slug);
  assertEquals(slugs, [listing!.slug, newer!.slug]);
});

Deno.test("100 votes from an IPv6 /48 or 10 from an IPv4 address look like a ring, even on an old entry", async () => {
  await using app = await testApp();
  const both = await items(app);
  app.clock.advance(30 * DAY_MS);
  const places = [
    { votes: 100, address: (i: number) => `2001:db8:9:${i.toString(16)}::1` },
    { votes: 10, address: () => "192.0.2.9" },
  ];
  for (const [n, item] of both.entries()) {
    const { votes, address } = places[n]!;
    const from = app.clock.now();
    const rings = async () => (await operatorJson(app, item.area, "rings")).rings.length;
    for (let i = 0; i < votes; i++) {
      if (i === 9) assertEquals([(await figures(app, item)).suspicious, await rings()], [false, 0]);
      await app.request(`${item.path}/vote`, {
        method: "POST",
        address: address(i),
        userAgent: `browser ${i}`,
      });
      if (i % 20 === 19) app.clock.advance(HOUR_MS);
    }
    const { suspicious, votersByNetwork, withinFirstMinute } = await figures(app, item);
    assertEquals([suspicious, votersByNetwork, withinFirstMinute], [true, [votes], 0]);
    assertEquals(await rings(), 1);
    await hold(app, item, from, app.clock.now() + 1);
    assertEquals([(await figures(app, item)).suspicious, await rings()], [false, 0]);
  }
});

Deno.test("operator hold takes a time span's votes out of every count, and release restores them", async () => {
  await using app = await testApp();
  for (const item of await items(app)) {
    const start = app.clock.now();
    await vote(app, item, [1]);
    app.clock.advance(1);
    await vote(app, item, [2, 3]);
    app.clock.advance(1);
    await vote(app, item, [4]);
    const { status, stdout } = await hold(app, item, start + 1, start + 2);
    assertEquals([status, stdout], [0, `2 votes for ${item.slug} held\n`]);
    assertEquals(await shownVotes(app, item), 2);
    const list = await operator(app, item.area, "held");
    assertEquals(list.stdout, `${item.slug}  2\n2 votes held\n`);
    assertEquals(await vote(app, item, [2], "GET"), [true, 2, false]);
    assertEquals(await vote(app, item, [2]), [true, 2, false], "has voted already");
    assertEquals(await vote(app, item, [5]), [true, 3, true], "others vote on");
    const { votes, held, busiestHours } = await figures(app, item);
    assertEquals([votes, held, busiestHours], [3, 2, [
      { from: isoTime(TEST_NOW), votes: 3, held: 2 },
    ]]);
    const again = await hold(app, item, start + 1, start + 2);
    assertEquals([again.status, again.stdout], [
      0,
      `There are no counted votes for ${item.slug} from that time; nothing changed\n`,
    ]);
    const released = await operator(app, item.area, "release", item.slug);
    assertEquals([released.status, released.stdout], [0, `2 votes for ${item.slug} released\n`]);
    assertEquals(await shownVotes(app, item), 5);
    const none = await operator(app, item.area, "release", item.slug);
    assertEquals(none.stdout, `There are no held votes for ${item.slug}; nothing changed\n`);
    assertEquals((await operator(app, item.area, "held")).stdout, "0 votes held\n");
  }
  const { actions } = (await app.json("/api/v1/operator-log")).body;
  assertEquals(actions.map(({ kind, reason }: Record<string, string>) => [kind, reason]), [
    ["skill_votes_released", null],
    ["skill_votes_held", "spam"],
    ["listing_votes_released", null],
    ["listing_votes_held", "spam"],
  ]);
});

Deno.test("a held vote can be taken back, counts when cast again, and passes verify", async () => {
  await using app = await testApp();
  for (const item of await items(app)) {
    const now = app.clock.now();
    await vote(app, item, [1, 2, 3]);
    await hold(app, item, now, now + 1);
    assertEquals(await vote(app, item, [1], "DELETE"), [false, 0, true]);
    assertEquals(await vote(app, item, [1], "DELETE"), [false, 0, false]);
    assertEquals(await vote(app, item, [1]), [true, 1, true]);
    assertEquals(await verify(app.deps.store), []);
    await operator(app, item.area, "release", item.slug);
    assertEquals(await shownVotes(app, item), 3);
  }
});

Deno.test("held votes don't count as rising, and released ones count from when they were cast", async () => {
  await using app = await testApp();
  const [item] = await items(app) as [Item];
  const rising = async () =>
    (await app.json("/api/v1/trending/full")).body.rising
      .map(({ votes24h }: { votes24h: number }) => votes24h);
  await vote(app, item, [1, 2]);
  const votedAt = app.clock.now();
  app.clock.advance(10 * HOUR_MS);
  await vote(app, item, [3]);
  assertEquals(await rising(), [3]);
  await hold(app, item, votedAt, votedAt + 1);
  assertEquals(await rising(), [1]);
  await operator(app, item.area, "release", item.slug);
  assertEquals(await rising(), [3]);
  await hold(app, item, votedAt, votedAt + 1);
  app.clock.advance(1);
  await app.deps.velocity.load();
  assertEquals(await rising(), [1], "even when the day's votes are read at startup");
  app.clock.advance(14 * HOUR_MS - 1);
  assertEquals(await rising(), [1], "the votes that are held are a day old");
  await operator(app, item.area, "release", item.slug);
  assertEquals(await rising(), [1], "as if nobody had held them");
});

Deno.test("operator hold refuses an unknown listing or a bad time span, but a hidden listing's votes can be held and released", async () => {
  await using app = await testApp();
  const [item] = await items(app) as [Item];
  const now = app.clock.now();
  const unknown = await hold(app, { ...item, slug: "nobody" }, now, now + 1);
  assertEquals([unknown.status, unknown.stderr], [
    1,
    "Refused: There is no listing with the slug nobody\n",
  ]);
  const reverse = await hold(app, item, now, now);
  assertEquals([reverse.status, reverse.stderr], [
    1,
    "Refused: --until must be later than --from\n",
  ]);
  for (const time of ["yesterday", "2026-03-04", "2026-03-04T12:00:00", "1772625600000"]) {
    const span = ["--from", time, "--until", isoTime(now)];
    const { status, stderr } = await operator(app, item.area, "hold", item.slug, ...span);
    assertEquals(status, 2, time);
    assertStringIncludes(stderr, "--from must be a time such as 2026-03-04T12:00:00Z");
  }
  const missing = await operator(app, item.area, "hold", item.slug, "--from", isoTime(now));
  assertEquals(missing.status, 2);
  assertStringIncludes(missing.stderr, "--until is required");
  await vote(app, item, [1, 2]);
  await operator(app, "listings", "hide", item.slug);
  assertEquals((await hold(app, item, now, now + 1)).stdout, `2 votes for ${item.slug} held\n`);
  await operator(app, "listings", "unhide", item.slug);
  assertEquals(await shownVotes(app, item), 0);
  await operator(app, "listings", "hide", item.slug);
  await operator(app, "listings", "release", item.slug);
  await operator(app, "listings", "unhide", item.slug);
  assertEquals(await shownVotes(app, item), 2);
});
