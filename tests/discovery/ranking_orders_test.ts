import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { hotScore } from "@/lib/discovery/hot.ts";
import { sortId } from "@/lib/discovery/ranking.ts";
import { type Ranked, RankingOrders } from "@/lib/discovery/ranking_orders.ts";

type SortId = (typeof sortId.options)[number];

const START = Date.parse("2026-03-01T12:00:00.000Z");
const SLOTS = 60;

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      slot: fc.nat({ max: SLOTS - 1 }),
      // Few distinct ages and counts, so that ties are common; some are created in the time to come.
      age: fc.oneof(
        fc.integer({ min: -3, max: 20 }).map((n) => n * 7 * HOUR_MS),
        // Counted from the beginning, so that some are created in the same millisecond.
        fc.constantFrom("START" as const, "LATER" as const),
        fc.integer({ min: -HOUR_MS, max: 3 * 365 * DAY_MS }),
      ),
      // Below zero: votes taken back while the count that they are part of is still to be read.
      votes: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.nat({ max: 1_000_000 })),
      clicks: fc.nat({ max: 30 }),
    }),
  },
  fc.record({ removed: fc.nat({ max: SLOTS - 1 }) }),
  fc.record({
    voted: fc.nat({ max: SLOTS - 1 }),
    votes: fc.integer({ min: -3, max: 40 }),
    clicks: fc.nat({ max: 400 }),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      wait: fc.oneof(
        fc.integer({ min: 1_000, max: 3_000 }),
        fc.integer({ min: 1_000, max: 3 * HOUR_MS }),
        fc.integer({ min: DAY_MS, max: 400 * DAY_MS }),
        fc.integer({ min: -DAY_MS, max: -1 }),
      ),
    }),
  },
);

function slotsOf(ranking: RankingOrders, sort: SortId = "hot"): number[] {
  return [...ranking.order(sort).slots()];
}

function sorted(live: Map<number, Ranked>, now: number): number[] {
  return [...live].sort(([, a], [, b]) =>
    hotScore(b, now) - hotScore(a, now) || b.createdAt - a.createdAt || (a.slug < b.slug ? -1 : 1)
  ).map(([slot]) => slot);
}

Deno.test("the hot order that time moves is what sorting by score anew gives, and each order what sorting by its own comparison does", () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.array(step, { minLength: 20, maxLength: 120, size: "max" }),
      (inBulk, history) => {
        const ranking = new RankingOrders();
        const live = new Map<number, Ranked>();
        let now = START;
        let ranked = now;
        const rank = () => {
          ranking.rank(now);
          ranked = now;
        };
        if (inBulk) ranking.startBulk();
        else rank();
        for (const [i, one] of history.entries()) {
          if (inBulk && i === 20) {
            ranking.endBulk(now);
            ranked = now;
          }
          if ("slot" in one) {
            if (live.has(one.slot)) ranking.remove(one.slot);
            const { age, votes, clicks } = one;
            const createdAt = age === "START"
              ? START
              : age === "LATER"
              ? START + DAY_MS
              : now - age;
            const listing = { slug: `p-${one.slot}`, createdAt, votes, clicks };
            live.set(one.slot, { ...listing, votes: Math.max(0, votes) });
            ranking.insert(one.slot, listing);
          } else if ("removed" in one) {
            if (live.delete(one.removed)) ranking.remove(one.removed);
          } else if ("voted" in one) {
            const listing = live.get(one.voted);
            if (listing === undefined) continue;
            const { votes, clicks } = one;
            Object.assign(listing, { votes: Math.max(0, votes), clicks });
            ranking.count(one.voted, { votes, clicks });
          } else if (!inBulk || i > 20) {
            now += one.wait;
            rank();
          }
          if (inBulk && i < 20) continue;
          assertEquals(slotsOf(ranking), sorted(live, ranked));
          for (const sort of sortId.options) {
            const slots = slotsOf(ranking, sort);
            assertEquals(slots, slots.toSorted(ranking.order(sort).compare), sort);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("listings of one age whose scores differ by the last bit, or not at all, stand as scores say", () => {
  // On paper each three have one score: 2.9, or 3.3.
  const counts = [[1, 9], [0, 19], [1, 9], [2, 3], [0, 23], [1, 13], [9_999_961, 0], [
    9_999_960,
    10,
  ]];
  for (const age of [0, 1, 20_000_000, 35 * 365 * DAY_MS]) {
    const ranking = new RankingOrders();
    ranking.rank(START);
    const live = new Map<number, Ranked>();
    const put = (slot: number) => {
      const [votes, clicks] = counts[slot]! as [number, number];
      live.set(slot, { slug: `p-${slot % 5}-${slot}`, createdAt: START - age, votes, clicks });
      ranking.insert(slot, live.get(slot)!);
    };
    for (const slot of counts.keys()) put(slot);
    for (let i = 1; i <= 4_000; i++) {
      const now = START + 1_000 * i;
      ranking.rank(now);
      assertEquals(slotsOf(ranking), sorted(live, now));
      if (i % 100 > 0) continue;
      const slot = (i / 100) % counts.length;
      ranking.remove(slot);
      put(slot);
    }
  }
});

Deno.test("a clock before 1970 ranks the hot order as any other does", () => {
  const ranking = new RankingOrders();
  const live = new Map<number, Ranked>();
  ranking.rank(-10 * DAY_MS);
  for (let slot = 0; slot < 50; slot++) {
    const createdAt = -11 * DAY_MS - slot * 40 * HOUR_MS;
    live.set(slot, { slug: `p-${slot}`, createdAt, votes: slot, clicks: 0 });
    ranking.insert(slot, live.get(slot)!);
  }
  for (let now = -10 * DAY_MS; now < DAY_MS; now += 6 * HOUR_MS) {
    ranking.rank(now);
    assertEquals(slotsOf(ranking), sorted(live, now));
  }
});

Deno.test("a hot order of thousands stays right, second by second", () => {
  const ranking = new RankingOrders();
  const live = new Map<number, Ranked>();
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  ranking.startBulk();
  for (let slot = 0; slot < 3_000; slot++) {
    const listing = {
      slug: `p-${slot}`,
      createdAt: START - Math.floor(random() ** 3 * 30 * DAY_MS),
      votes: Math.floor(random() ** 4 * 200),
      clicks: Math.floor(random() * 50),
    };
    live.set(slot, listing);
    ranking.insert(slot, listing);
  }
  ranking.endBulk(START);
  const hot = ranking.order("hot");
  const moved = hot.revision;
  for (let now = START; now < START + 120_000; now += 1_000) {
    ranking.rank(now);
    assertEquals(slotsOf(ranking), sorted(live, now));
  }
  assertEquals(hot.revision > moved, true);
});
