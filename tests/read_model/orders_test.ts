import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { hotScore } from "@/lib/read_model/hot.ts";
import { Orders } from "@/lib/read_model/orders.ts";
import type { Row } from "@/lib/read_model/row.ts";
import type { Sort } from "@/lib/read_model/sorts.ts";
import { rounds } from "../support/runs.ts";

const SORTS: Sort[] = ["new", "top", "copied", "hot"];

const START = Date.parse("2026-03-01T12:00:00.000Z");
const SLUGS = 60;

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      slot: fc.nat({ max: SLUGS - 1 }),
      // Few distinct ages and counts, so that ties are common; some are created in the future.
      age: fc.oneof(
        fc.integer({ min: -3, max: 20 }).map((n) => n * 7 * HOUR_MS),
        // Relative to the start, so that some are created in the same millisecond.
        fc.constantFrom("START" as const, "LATER" as const),
        fc.integer({ min: -HOUR_MS, max: 3 * 365 * DAY_MS }),
      ),
      // Below zero: votes removed before the count that includes them has been read.
      votes: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.nat({ max: 1_000_000 })),
      clicks: fc.nat({ max: 30 }),
    }),
  },
  fc.record({ removed: fc.nat({ max: SLUGS - 1 }) }),
  fc.record({
    voted: fc.nat({ max: SLUGS - 1 }),
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

function slugsOf(orders: Orders<Row>, sort: Sort = "hot"): string[] {
  return Array.from(orders.order(sort).ids(), (id) => orders.row(id).slug);
}

function sorted(live: Map<string, Row>, now: number, sort: Sort = "hot"): string[] {
  const key = (row: Row) =>
    ({
      new: 0,
      top: row.votes,
      copied: row.uses,
      hot: hotScore(row, now),
    })[
      sort
    ];
  return [...live.values()].sort((a, b) =>
    key(b) - key(a) || b.createdAt - a.createdAt || (a.slug < b.slug ? -1 : 1)
  ).map(({ slug }) => slug);
}

function rowOf(slug: string, { createdAt, votes, uses }: Omit<Row, "id" | "slug">): Row {
  return { id: -1, slug, createdAt, votes, uses };
}

Deno.test("every order matches a full sort after any additions, removals, counts and rankings", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 120, size: "max" }), (history) => {
      const orders = new Orders<Row>(SORTS);
      const live = new Map<string, Row>();
      let now = START;
      orders.rank(now);
      for (const one of history) {
        if ("slot" in one) {
          const slug = `p-${one.slot}`;
          const { age, votes, clicks: uses } = one;
          const createdAt = age === "START" ? START : age === "LATER" ? START + DAY_MS : now - age;
          const row = rowOf(slug, { createdAt, votes, uses });
          orders.put(row, live.get(slug));
          live.set(slug, row);
          assertEquals(row.votes, Math.max(0, votes));
        } else if ("removed" in one) {
          const row = live.get(`p-${one.removed}`);
          if (row === undefined) continue;
          orders.remove(row);
          live.delete(row.slug);
        } else if ("voted" in one) {
          const row = live.get(`p-${one.voted}`);
          if (row === undefined) continue;
          const { revision } = orders.order("new");
          orders.count(row, { votes: one.votes, uses: one.clicks });
          assertEquals(orders.order("new").revision, revision);
        } else {
          now += one.wait;
          orders.rank(now);
        }
        for (const sort of SORTS) {
          assertEquals(slugsOf(orders, sort), sorted(live, orders.rankedAt, sort), sort);
        }
      }
    }),
    { numRuns: rounds(50, 200) },
  );
});

Deno.test("pick returns given ids in order, whether few or many", () => {
  const orders = new Orders<Row>(SORTS);
  for (let i = 0; i < 5_000; i++) {
    orders.put(rowOf(`p-${i}`, { createdAt: START, votes: i * 7919 % 5_000, uses: 0 }), undefined);
  }
  const top = orders.order("top");
  for (const count of [0, 1, 2, 50, 500, 4_999, 5_000]) {
    const some = Array.from({ length: count }, (_, i) => i * 37 % 5_000);
    for (let again = 0; again < 2; again++) {
      const picked = top.pick(new Set(some));
      assertEquals([...picked], some.toSorted(top.compare));
    }
  }
});

Deno.test("entries of the same age whose scores differ by at most the last bit are ordered by score", () => {
  // Mathematically, three each have the same score: 2.9 or 3.3.
  const counts = [[1, 9], [0, 19], [1, 9], [2, 3], [0, 23], [1, 13], [9_999_961, 0], [
    9_999_960,
    10,
  ]];
  for (const age of [0, 1, 20_000_000, 35 * 365 * DAY_MS]) {
    const orders = new Orders<Row>(SORTS);
    orders.rank(START);
    const live = new Map<string, Row>();
    for (const [i, [votes, uses]] of counts.entries()) {
      const slug = `p-${i % 5}-${i}`;
      const row = rowOf(slug, { createdAt: START - age, votes: votes!, uses: uses! });
      live.set(slug, row);
      orders.put(row, undefined);
    }
    for (let now = START + 1_000; now < START + 4_000_000; now += 1_000) {
      orders.rank(now);
      assertEquals(slugsOf(orders), sorted(live, now));
    }
  }
});

Deno.test("a hot order of thousands stays correct, second by second and days later", () => {
  const orders = new Orders<Row>(SORTS);
  const live = new Map<string, Row>();
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let i = 0; i < 3_000; i++) {
    const row = rowOf(`p-${i}`, {
      createdAt: START - Math.floor(random() ** 3 * 30 * DAY_MS),
      votes: Math.floor(random() ** 4 * 200),
      uses: Math.floor(random() * 50),
    });
    live.set(row.slug, row);
    orders.put(row, undefined);
  }
  orders.rank(START);
  const moved = orders.order("hot").revision;
  const times = [...Array.from({ length: 60 }, (_, i) => START + i * 1_000), START + 9 * DAY_MS, 0];
  for (const now of times) {
    orders.rank(now);
    assertEquals(slugsOf(orders), sorted(live, now));
  }
  assertEquals(orders.order("hot").revision > moved, true);
});
