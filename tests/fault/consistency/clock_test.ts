import { assert, assertEquals } from "@std/assert";
import { jobs, runJob } from "@/lib/app/crons.ts";
import { addDays, DAY_MS, dayStart, delay, HOUR_MS, MINUTE_MS, utcDay } from "@/lib/clock.ts";
import type { JsonAnswer, TestRequest } from "../../support/app.ts";
import { addressOf, submit } from "../../support/listings.ts";
import { AUCTION_ID, AUCTION_NOW, type PaidApp, paidApp } from "../../support/payments.ts";
import { rounds, runSeed, seededRandom } from "../../support/runs.ts";
import { pick, type Random, wholeNumber } from "../from_schema.ts";

const STEPS = 60;
/** Agents by their model's family. */
const FAMILIES = { anthropic: "claude", openai: "gpt", google: "gemini" } as const;

/** What the service was told and must therefore show, by UTC day if it counts by day. */
class Truth {
  votes = 0;
  readonly ballots = new Map<string, Set<number>>();
  readonly checkIns = new Map<string, Map<string, string>>();

  /**
   * The family with the most distinct names of a day; without hits, ties are resolved
   * alphabetically.
   */
  winner(day: string): string | null {
    const counts = new Map<string, number>();
    for (const family of this.checkIns.get(day)?.values() ?? []) {
      counts.set(family, (counts.get(family) ?? 0) + 1);
    }
    const [first] = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    return first?.[0] ?? null;
  }
}

Deno.test("clock jumps in both directions keep counts exact and days right, and each job takes effect once", async () => {
  const first = runSeed("clock");
  for (let i = 0; i < rounds(5, 300); i++) await simulate(first + i);
});

Deno.test("uses counted while the clock was ahead don't lock anyone out once it's set back", async () => {
  await using app = await paidApp();
  const now = app.clock.now();
  const list = async () => {
    const name = crypto.randomUUID();
    const json = { name, url: `https://${name}.example.com`, tagline: "x" };
    return await app.json("/api/v1/projects", { json });
  };
  app.clock.set(now + DAY_MS);
  for (let i = 0; i < 5; i++) assertEquals((await list()).status, 201);
  assertEquals((await list()).status, 429);
  app.clock.set(now);
  for (let i = 0; i < 5; i++) assertEquals((await list()).status, 201);
  const refused = await list();
  assertEquals([refused.status, refused.headers.get("retry-after")], [429, "3600"]);
});

Deno.test("pages cached while the clock was ahead are refreshed once it's set back", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const ballots = async () => {
    const { body } = await app.json("/api/v1/trending/full");
    return body.bestAi?.votes ?? 0;
  };
  app.clock.advance(DAY_MS);
  for (let i = 0; i < 3; i++) assertEquals(await ballots(), 0);
  const page = async () => (await app.request(`/p/${slug}`)).headers.get("etag");
  await page();
  app.clock.advance(-DAY_MS);
  await app.json("/api/v1/poll/vote", { json: { candidate: "claude" } });
  assertEquals(await ballots(), 1);
  const health = async () => (await app.json("/api/v1/health")).body.generatedAt;
  app.clock.advance(DAY_MS);
  await health();
  app.clock.advance(-DAY_MS);
  assertEquals(await health(), new Date(app.clock.now()).toISOString());
});

Deno.test("votes from the last day count as rising again once a clock that was days ahead is set back", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const vote = async (i: number) => {
    const address = addressOf(60_000 + i);
    await app.json(`/api/v1/projects/${slug}/vote`, { method: "POST", address });
  };
  const rises = () => app.deps.velocity.rising(10, () => true).map(({ votes24h }) => votes24h);
  await vote(1);
  await vote(2);
  assertEquals(rises(), [2]);
  app.clock.advance(3 * DAY_MS);
  assertEquals(rises(), []);
  app.clock.advance(-3 * DAY_MS + MINUTE_MS);
  rises();
  await delay(20);
  assertEquals(rises(), [2]);
  await vote(3);
  assertEquals(rises(), [3]);
});

async function simulate(seed: number): Promise<void> {
  const random = seededRandom(seed);
  await using app = await paidApp();
  const truth = new Truth();
  const { project: { slug } } = await submit(app);
  await leadAuction(app, slug);
  let serial = 0;
  let latest = app.clock.now();
  for (let step = 0; step < STEPS; step++) {
    const label = `seed ${seed}, step ${step}, ${new Date(app.clock.now()).toISOString()}`;
    const send = async (path: string, request: TestRequest): Promise<JsonAnswer> => {
      const answer = await app.json(path, request);
      const said = `${label}: ${path} ${answer.status} ${JSON.stringify(answer.body)}`;
      assert(answer.status < 500, said);
      const { windowSeconds, retryAfterSeconds } = answer.body.error?.details ?? {};
      if (answer.status === 429) {
        assert(retryAfterSeconds >= 1 && retryAfterSeconds <= windowSeconds, said);
        assertEquals(answer.headers.get("retry-after"), String(retryAfterSeconds), said);
      }
      return answer;
    };
    const address = addressOf(40_000 + serial++);
    const day = utcDay(app.clock.now());
    const dice = random();
    if (dice < 0.3) {
      app.clock.set(jump(app.clock.now(), random));
      latest = Math.max(latest, app.clock.now());
    } else if (dice < 0.5) {
      const { body } = await send(`/api/v1/projects/${slug}/vote`, { method: "POST", address });
      assertEquals(body.votes, ++truth.votes, label);
    } else if (dice < 0.65) {
      // Few networks, so that limits are reached.
      const voter = wholeNumber(random, 0, 3);
      const { status } = await send("/api/v1/poll/vote", {
        json: { candidate: "claude" },
        address: addressOf(50_000 + voter),
      });
      if (status === 200) add(truth.ballots, day, new Set<number>()).add(voter);
    } else if (dice < 0.85) {
      const family = pick(random, Object.keys(FAMILIES) as (keyof typeof FAMILIES)[]);
      const agentName = `${FAMILIES[family]} number ${wholeNumber(random, 0, 30)}`;
      const { status } = await send("/api/v1/guestbook", {
        json: { agentName, model: FAMILIES[family], catchphrase: "Here" },
        address: "192.0.2.77",
      });
      if (status < 300) add(truth.checkIns, day, new Map<string, string>()).set(agentName, family);
    } else for (const job of jobs) await runJob(app.deps, job);
    await assertShown(app, { truth, slug, label, send });
  }

  // Time continues normally from the latest time on any clock.
  app.clock.set(latest + 2 * DAY_MS);
  for (const job of jobs) await runJob(app.deps, job);
  const label = `seed ${seed}, at the end`;
  const captures = app.stripe.requests.filter((request) => request.endsWith("/capture")).length;
  assert(captures <= 1, `${label}: ${captures} captures`);
  if (app.clock.now() > Date.parse("2026-11-22T00:10:00Z")) {
    const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}`);
    assertEquals([body.auction.status, captures], ["past", 1], label);
  }
  for (const day of truth.checkIns.keys()) {
    app.clock.set(dayStart(addDays(day, 1)) + 12 * HOUR_MS);
    const { body } = await app.json("/api/v1/ai-of-the-day");
    assertEquals(body.today.winner?.family ?? null, truth.winner(day), `${label}: ${day}`);
  }
}

/** Asserts that every surface shows what is true now, whatever was cached at another time. */
async function assertShown(
  app: PaidApp,
  { truth, slug, label, send }: {
    truth: Truth;
    slug: string;
    label: string;
    send: (path: string, request: TestRequest) => Promise<JsonAnswer>;
  },
): Promise<void> {
  const day = utcDay(app.clock.now());
  const { body: listing } = await send(`/api/v1/projects/${slug}`, {});
  assertEquals(listing.project.votes, truth.votes, label);
  const { body: poll } = await send("/api/v1/poll", {});
  assertEquals(poll.today, day, label);
  assertEquals(poll.standings.today.totals.all, truth.ballots.get(day)?.size ?? 0, label);
  const all = [...truth.ballots.values()].reduce((sum, voters) => sum + voters.size, 0);
  assertEquals(poll.standings.all.totals.all, all, label);
  const { body: guestbook } = await send("/api/v1/guestbook", {});
  assertEquals(guestbook.totals.today, truth.checkIns.get(day)?.size ?? 0, label);
  const { body: race } = await send("/api/v1/ai-of-the-day", {});
  assertEquals(race.today.day, day, label);
  const { body: trending } = await send("/api/v1/trending/full", {});
  const rising = trending.rising.find((row: { slug: string }) => row.slug === slug);
  assert((rising?.votes24h ?? 0) <= truth.votes, label);
  const { body: health } = await send("/api/v1/health", {});
  assert(Math.abs(Date.parse(health.generatedAt) - app.clock.now()) < 10_000, label);
}

/** The clock after a jump: some time ahead or back, or just before a calendar boundary. */
function jump(now: number, random: Random): number {
  const spans = [1_000, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, DAY_MS, 7 * DAY_MS, 31 * DAY_MS];
  const kind = random();
  const to = kind < 0.4
    ? now + pick(random, spans)
    : kind < 0.8
    ? now - pick(random, spans)
    : pick(random, [edge(now, 1), edge(now, 7), edge(now, 31)]) - pick(random, [1, 1_000, -1]);
  // Auctions begin in 2026, and holds at the payment provider must not expire before the close.
  return Math.max(AUCTION_NOW - 60 * DAY_MS, Math.min(AUCTION_NOW + 60 * DAY_MS, to));
}

/**
 * The next UTC midnight, Monday or first of a month, by the approximate number of days between
 * them.
 */
function edge(now: number, days: 1 | 7 | 31): number {
  const midnight = dayStart(addDays(utcDay(now), 1));
  if (days === 1) return midnight;
  if (days === 7) return midnight + ((8 - new Date(midnight).getUTCDay()) % 7) * DAY_MS;
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

async function leadAuction(app: PaidApp, slug: string): Promise<void> {
  const { status, body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug, amountCents: 1_000 },
  });
  assertEquals(status, 201, JSON.stringify(body));
  assert(app.stripe.pay(app.sessionOf(body.checkoutUrl)));
  await app.deliverAll();
}

function add<K, V>(map: Map<K, V>, key: K, value: V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  map.set(key, value);
  return value;
}
