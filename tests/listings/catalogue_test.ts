import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { ListingCatalogue } from "@/lib/listings/catalogue.ts";
import { type ListingRow, rowOf as listingRow } from "@/lib/listings/row.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import { createUrls } from "@/lib/urls.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { rounds } from "../support/runs.ts";
import { storedListing } from "../support/stored_listing.ts";

const START = Date.parse("2026-03-01T12:00:00.000Z");
const WORDS = ["alpha", "beta", "betamax", "gamma", "delta", "deltoid", "omega", "zeta", "x"];
const CATEGORIES = ["saas", "game", "design"];
const TOOLS = ["claude", "codex", "human"];
const TAGS = ["ai", "cli", "web", "db"];
const PRICING = ["free", "paid"];

/** A listing in the model: plain data, no index. */
interface Model {
  slug: string;
  name: string;
  url: string;
  tagline: string;
  description: string | null;
  category: string | null;
  tags: string[];
  builtWith: string[];
  pricing: string | null;
  createdAt: number;
  votes: number;
  clicks: number;
  promotion: { startsAt: number; endsAt: number } | null;
  gem: boolean;
}

const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(" "));

const listing = fc.record({
  slug: fc.integer({ min: 0, max: 40 }).map((n) => `p-${n}`),
  name: text,
  url: fc.constant("https://host.example/"),
  tagline: text,
  description: fc.option(text),
  category: fc.option(fc.constantFrom(...CATEGORIES)),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
  builtWith: fc.uniqueArray(fc.constantFrom(...TOOLS), { maxLength: 2 }),
  pricing: fc.option(fc.constantFrom(...PRICING)),
  // Few distinct times, so that ties are common.
  createdAt: fc.integer({ min: 0, max: 20 }).map((n) => START - n * 7 * HOUR_MS),
});

type Step =
  | { kind: "upsert"; listing: Omit<Model, "votes" | "clicks" | "promotion" | "gem"> }
  | { kind: "remove" | "gem" | "noGem"; slug: string }
  | { kind: "votes" | "clicks"; slug: string; delta: number }
  | { kind: "promote"; slug: string; startsIn: number; hours: number }
  | { kind: "wait"; ms: number };

const slug = fc.integer({ min: 0, max: 42 }).map((n) => `p-${n}`);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("upsert" as const), listing }) },
  fc.record({ kind: fc.constantFrom("remove" as const, "gem" as const, "noGem" as const), slug }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("votes" as const, "clicks" as const),
      slug,
      delta: fc.integer({ min: 0, max: 5 }),
    }),
  },
  fc.record({
    kind: fc.constant("promote" as const),
    slug,
    startsIn: fc.integer({ min: -2, max: 2 }),
    hours: fc.integer({ min: 1, max: 60 }),
  }),
  fc.record({
    kind: fc.constant("wait" as const),
    ms: fc.oneof(
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 0, max: 5 * DAY_MS }),
      fc.constant(-HOUR_MS),
    ),
  }),
);

type CatalogueQuery = Parameters<ListingCatalogue["list"]>[0];

const optionally = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
const query: fc.Arbitrary<CatalogueQuery> = fc.record({
  sort: fc.constantFrom("hot", "new", "top", undefined),
  category: optionally(fc.constantFrom(...CATEGORIES, "other")),
  tool: optionally(fc.constantFrom(...TOOLS)),
  pricing: optionally(fc.constantFrom(...PRICING)),
  tag: optionally(fc.constantFrom(...TAGS, "none")),
  promoted: fc.constantFrom("1", undefined, undefined),
  gems: fc.constantFrom("1", undefined, undefined),
  limit: fc.integer({ min: 1, max: 8 }),
  offset: fc.integer({ min: 0, max: 12 }),
}) as fc.Arbitrary<CatalogueQuery>;

function catalogueAt(clock: { now(): number }): ListingCatalogue {
  return new ListingCatalogue({ clock, urls: createUrls("https://projectory.example") });
}

function rowOf(
  model: Omit<Model, "votes" | "clicks" | "promotion" | "gem">,
  { votes = 0, clicks = 0 } = {},
): ListingRow {
  const { description, ...fields } = model;
  const stored = storedListing(model.slug, fields as Partial<StoredListing>);
  return listingRow(stored, { votes, uses: clicks, description, health: null });
}

function score(model: Model, at: number): number {
  const age = Math.max(0, at - model.createdAt) / HOUR_MS;
  return (model.votes + model.clicks * 0.1 + 1) / (age + 2) ** 1.5;
}

function isPromoted(model: Model, now: number): boolean {
  return model.promotion !== null && model.promotion.startsAt <= now &&
    now < model.promotion.endsAt;
}

function isGem(model: Model, now: number): boolean {
  return model.gem && model.promotion === null && now - model.createdAt < 14 * DAY_MS;
}

function plainList(models: Model[], query: CatalogueQuery, now: number, rankedAt: number) {
  const found = models.filter((model) =>
    (query.category === undefined || model.category === query.category) &&
    (query.tool === undefined || model.builtWith.includes(query.tool)) &&
    (query.pricing === undefined || model.pricing === query.pricing) &&
    (query.tag === undefined || model.tags.includes(query.tag)) &&
    (!query.promoted || isPromoted(model, now)) &&
    (!query.gems || isGem(model, now))
  );
  const key = (model: Model) =>
    query.sort === "new" ? 0 : query.sort === "top" ? model.votes : score(model, rankedAt);
  found.sort((a, b) => key(b) - key(a) || b.createdAt - a.createdAt || (a.slug < b.slug ? -1 : 1));
  const offset = query.offset ?? 0;
  return { total: found.length, page: found.slice(offset, offset + query.limit) };
}

Deno.test("placementOf shows the gem in KV without changing the catalogue", () => {
  const urls = createUrls("http://projectory.test");
  const catalogue = new ListingCatalogue({ clock: fixedClock(START), urls });
  const { revision } = catalogue;
  const gem = { note: "Few votes yet", since: START };
  assertEquals(catalogue.placementOf("p-1", { createdAt: START, gem }).placement.gem, gem);
  assertEquals([catalogue.gemOf("p-1"), catalogue.revision], [null, revision]);
});

Deno.test("list matches a plain recomputation over random directories, queries and clocks", () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 80, size: "max" }),
      fc.array(query, { minLength: 5 }),
      (steps, queries) => {
        const clock = fixedClock(START);
        const catalogue = catalogueAt(clock);
        const models = new Map<string, Model>();
        const promotions = new Map<string, Model["promotion"]>();
        const gems = new Set<string>();
        for (const [i, step] of steps.entries()) {
          apply(step, { clock, catalogue, models, promotions, gems });
          const query = queries[i % queries.length]!;
          check(catalogue, [...models.values()], query, clock.now());
          // The same query after each step: its cached result must follow votes and time.
          check(catalogue, [...models.values()], queries[0]!, clock.now());
        }
        for (const query of queries) check(catalogue, [...models.values()], query, clock.now());
        assertEquals(catalogue.size, models.size);
        assertEquals(
          catalogue.totals.votes,
          [...models.values()].reduce((sum, { votes }) => sum + votes, 0),
        );
        for (const category of CATEGORIES) {
          assertEquals(
            catalogue.sizes("category").get(category) ?? 0,
            [...models.values()].filter((model) => model.category === category).length,
          );
        }
      },
    ),
    { numRuns: rounds(50, 150) },
  );
});

interface World {
  clock: ReturnType<typeof fixedClock>;
  catalogue: ListingCatalogue;
  models: Map<string, Model>;
  promotions: Map<string, Model["promotion"]>;
  gems: Set<string>;
}

function apply(step: Step, { clock, catalogue, models, promotions, gems }: World): void {
  const model = "slug" in step ? models.get(step.slug) : undefined;
  switch (step.kind) {
    case "upsert": {
      const { slug } = step.listing;
      const known = models.get(slug);
      // A listing's creation time never changes.
      const fields = known ? { ...step.listing, createdAt: known.createdAt } : step.listing;
      models.set(slug, {
        votes: 0,
        clicks: 0,
        promotion: promotions.get(slug) ?? null,
        gem: gems.has(slug),
        ...known,
        ...fields,
      });
      return catalogue.put(rowOf(fields, known));
    }
    case "remove":
      models.delete(step.slug);
      return catalogue.remove(step.slug);
    case "votes":
      if (model) model.votes += step.delta;
      return catalogue.count(step.slug, ({ votes }) => ({ votes: votes + step.delta }));
    case "clicks":
      if (model) model.clicks += step.delta;
      return catalogue.count(step.slug, ({ uses }) => ({ uses: uses + step.delta }));
    case "gem":
      gems.add(step.slug);
      if (model) model.gem = true;
      return catalogue.setGem(step.slug, { note: "Few votes yet", since: clock.now() });
    case "noGem":
      gems.delete(step.slug);
      if (model) model.gem = false;
      return catalogue.setGem(step.slug, null);
    case "promote": {
      const startsAt = clock.now() + step.startsIn * HOUR_MS;
      const span = { startsAt, endsAt: startsAt + step.hours * HOUR_MS };
      promotions.set(step.slug, span);
      if (model) model.promotion = span;
      return catalogue.setPromotion(step.slug, [{ tierId: "bump-3", ...span }]);
    }
    case "wait":
      return clock.advance(step.ms);
  }
}

function check(
  catalogue: ListingCatalogue,
  models: Model[],
  query: CatalogueQuery,
  now: number,
): void {
  // A listing more than a minute ahead of the clock counts as created now.
  for (const model of models) if (model.createdAt > now + MINUTE_MS) model.createdAt = now;
  const page = catalogue.select(query);
  // The second time, it comes from the cache.
  assertEquals(catalogue.select(query), page);
  const plain = plainList(models, query, now, catalogue.rankedAt);
  assertEquals(page.total, plain.total);
  assertEquals(page.rows.map(({ slug }) => slug), plain.page.map(({ slug }) => slug));
  for (const [i, row] of page.rows.entries()) {
    const record = catalogue.toPublic(row);
    const model = plain.page[i]!;
    assertEquals(
      [record.slug, record.name, record.votes, record.clicks, record.promoted, record.gem !== null],
      [
        model.slug,
        model.name,
        model.votes,
        model.clicks,
        isPromoted(model, now),
        isGem(model, now),
      ],
    );
  }
}

Deno.test("list matches a plain recomputation with hundreds of matches, at any offset, between changes", () => {
  const many = fc.array(
    fc.record({
      listing,
      votes: fc.integer({ min: 0, max: 3 }),
      clicks: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 600, maxLength: 900, size: "max" },
  );
  const filter: fc.Arbitrary<Partial<CatalogueQuery>> = fc.constantFrom(
    ...CATEGORIES.map((category) => ({ category })),
    ...TOOLS.map((tool) => ({ tool })),
    ...TAGS.map((tag) => ({ tag })),
    ...PRICING.map((pricing) => ({ pricing })),
  );
  const deep = fc.array(
    fc.oneof(
      fc.tuple(query, fc.integer({ min: 0, max: 950 })),
      // Few listings pass many filters, so most pages of those are the first and the last.
      fc.tuple(
        fc.tuple(query, filter).map(([{ sort, limit }, one]) => ({ sort, limit, ...one })),
        fc.integer({ min: 0, max: 350 }),
      ),
      // Few values, so that lists filtered by several fields reuse one another.
      fc.tuple(
        fc.record({
          sort: fc.constantFrom("hot", "new"),
          category: fc.constantFrom(CATEGORIES[0], undefined),
          tool: fc.constantFrom(TOOLS[0], undefined),
          pricing: fc.constantFrom(PRICING[0], undefined),
          tag: fc.constantFrom(TAGS[0], undefined),
          limit: fc.constant(8),
        }) as fc.Arbitrary<CatalogueQuery>,
        fc.integer({ min: 0, max: 40 }),
      ),
    ),
    { minLength: 60, maxLength: 60 },
  );
  fc.assert(
    fc.property(
      many,
      deep,
      fc.integer({ min: 0, max: 30 * DAY_MS }),
      (rows, queries, later) => {
        const clock = fixedClock(START);
        const catalogue = catalogueAt(clock);
        const models = rows.map(({ listing, votes, clicks }, i): Model => {
          const model = { ...listing, slug: `p-${(i * 7919) % 1000}` };
          return { ...model, votes, clicks, promotion: null, gem: false };
        });
        catalogue.beginLoad();
        for (const model of models) catalogue.put(rowOf(model, model));
        catalogue.endLoad();
        for (const { slug } of models.splice(0, 50)) catalogue.remove(slug);
        clock.advance(later);
        for (const [i, [query, offset]] of queries.entries()) {
          check(catalogue, models, { ...query, offset }, clock.now());
          const model = models[i]!;
          if (i % 6 === 0) {
            const { slug } = model;
            const common = { category: CATEGORIES[0]!, builtWith: TOOLS, tags: TAGS };
            const changed = { ...rows[i]!.listing, ...common, slug, createdAt: model.createdAt };
            Object.assign(model, changed);
            catalogue.put(rowOf(changed, model));
          } else if (i % 6 === 2) {
            model.votes++;
            catalogue.count(model.slug, ({ votes }) => ({ votes: votes + 1 }));
          } else if (i % 6 === 4) {
            clock.advance(HOUR_MS);
          }
        }
      },
    ),
    // Shrinking a failing directory would take minutes.
    { numRuns: 10, endOnFailure: true },
  );
});

Deno.test("the hot order is never more than a second old", () => {
  const clock = fixedClock(START);
  const catalogue = catalogueAt(clock);
  for (const ms of [0, 999, 1, 1, 998, 2, 10_000, -5]) {
    clock.advance(ms);
    catalogue.list({ limit: 1 });
    const age = clock.now() - catalogue.rankedAt;
    assert(age >= 0 && age < 1000, `ranked ${age} ms ago`);
  }
});

Deno.test("record shows the Front Row from the start of its period until just before its end", () => {
  const clock = fixedClock(START);
  const catalogue = catalogueAt(clock);
  const model = { ...fc.sample(listing, 1)[0]!, slug: "winner", createdAt: START };
  catalogue.put(rowOf(model));
  catalogue.setFrontRow([{ slug: "winner", startsAt: START + 1000, endsAt: START + 2000 }]);
  const before = catalogue.revision;
  const seen = [0, 1000, 999, 1].map((ms) => {
    clock.advance(ms);
    const { sponsored, placement } = catalogue.get("winner")!;
    return [catalogue.frontRow?.slug ?? null, sponsored, placement];
  });
  assertEquals(seen, [
    [null, false, null],
    ["winner", true, "front-row"],
    ["winner", true, "front-row"],
    [null, false, null],
  ]);
  assert(catalogue.revision > before, "time passing must end cached answers");
});

Deno.test("placements follow every change, and time in both directions", () => {
  const clock = fixedClock(START);
  const catalogue = catalogueAt(clock);
  const model = fc.sample(listing, 1)[0]!;
  const put = (slug: string) => catalogue.put(rowOf({ ...model, slug, createdAt: START }));
  const promote = (slug: string, days: number) => {
    const endsAt = START + days * DAY_MS;
    catalogue.setPromotion(slug, [{ tierId: "bump-3", startsAt: 0, endsAt }]);
  };
  const strip = () => catalogue.promotions.map(({ slug }) => slug);
  for (const slug of ["gem", "paid", "longer", "won"]) put(slug);
  catalogue.setGem("gem", { note: "Good", since: START });
  promote("longer", 2);
  promote("paid", 1);
  assertEquals(strip(), ["paid", "longer"]);
  catalogue.setFrontRow([{ slug: "won", startsAt: START, endsAt: START + 7 * DAY_MS }]);
  assertEquals(catalogue.frontRow?.slug, "won");
  put("gem");
  assertEquals(catalogue.get("gem")!.gem?.note, "Good");
  // Another listing takes its index.
  catalogue.remove("gem");
  put("plain");
  assertEquals(catalogue.get("plain")!.gem, null);
  clock.advance(DAY_MS);
  assertEquals(strip(), ["longer"]);
  clock.advance(-1);
  assertEquals(strip(), ["paid", "longer"]);
  catalogue.setFrontRow([]);
  assertEquals([catalogue.frontRow, catalogue.get("won")!.sponsored], [null, false]);
});
