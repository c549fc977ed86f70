import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { listingKind } from "@/lib/listings/catalogue.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { PublicListing, StoredListing } from "@/lib/listings/schema.ts";
import { voteKeys } from "@/lib/votes/keys.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { storedListing } from "../support/stored_listing.ts";

const PATH = "/api/v1/projects";

async function fill(app: TestApp, kv: Deno.Kv, rows: (Partial<StoredListing> & Counts)[]) {
  for (const [i, { up = 0, down = 0, clicks = 0, ...fields }] of rows.entries()) {
    const slug = `p-${i}`;
    await kv.atomic()
      .set(listingKeys.one(slug), storedListing(slug, fields))
      .set(listingKeys.description(slug), `Text of ${i}`)
      .sum(voteKeys.count("listing", slug, "up"), BigInt(up))
      .sum(voteKeys.count("listing", slug, "down"), BigInt(down))
      .sum(listingKeys.clicks(slug), BigInt(clicks))
      .commit();
  }
  await app.deps.sync.load();
}

interface Counts {
  up?: number;
  down?: number;
  clicks?: number;
}

const BAD: [query: string, field: string, message: RegExp][] = [
  ["sort=best", "sort", /hot, new, top/],
  ["sort=", "sort", /hot, new, top/],
  ["category=toys", "category", /saas, ai-agent/],
  ["tool=hammer", "tool", /claude, claude-code/],
  ["pricing=cheap", "pricing", /free, freemium/],
  ["tag=Not%20a%20tag", "tag", /lowercase/],
  ["promoted=0", "promoted", /^Must be 1$/],
  ["promoted=true", "promoted", /^Must be 1$/],
  ["gems=0", "gems", /^Must be 1$/],
  ["gems=true", "gems", /^Must be 1$/],
  ["explain=2", "explain", /^Must be 1$/],
  ["limit=0", "limit", /from 1 to 100/],
  ["limit=101", "limit", /from 1 to 100/],
  ["limit=-1", "limit", /from 1 to 100/],
  ["limit=1.5", "limit", /from 1 to 100/],
  ["limit=abc", "limit", /from 1 to 100/],
  ["limit=1e1", "limit", /from 1 to 100/],
  ["limit=", "limit", /from 1 to 100/],
  ["offset=", "offset", /whole number/],
  ["offset=-1", "offset", /^Must be a whole number, 0 or more$/],
  ["offset=0.5", "offset", /whole number/],
  ["offset=9007199254740992", "offset", /whole number/],
  ["offset=99999999999999999999", "offset", /whole number/],
  ["limit=1&limit=2", "limit", /more than once/],
  ["sort=hot&sort=hot", "sort", /more than once/],
  [`q=${"x".repeat(101)}`, "q", /at most 100/],
  [`q=${encodeURIComponent("🚀".repeat(101))}`, "q", /at most 100 characters/],
];

Deno.test("GET projects trims spaces before it checks the length of q", async () => {
  await using app = await testApp();
  const { status, body } = await app.json(`${PATH}?q=++${"x".repeat(100)}++`);
  assertEquals([status, body.projects], [200, []]);
});

for (const [query, field, message] of BAD) {
  Deno.test(`GET projects?${query.slice(0, 40)} is invalid_input naming ${field}`, async () => {
    await using app = await testApp();
    const { status, body } = await app.json(`${PATH}?${query}`);
    assertEquals(status, 400);
    assertEquals(body.error.code, "invalid_input");
    const [problem, ...more] = body.error.details;
    assertEquals([problem.field, more], [field, []]);
    assertMatch(problem.message, message);
  });
}

Deno.test("GET projects reports every bad parameter at once", async () => {
  await using app = await testApp();
  const { body } = await app.json(`${PATH}?sort=x&limit=0&offset=-1&category=y`);
  const fields = body.error.details.map((problem: { field: string }) => problem.field);
  assertEquals(new Set(fields), new Set(["sort", "limit", "offset", "category"]));
});

const FRUITLESS: [q: string, reason: string][] = [
  ["!!!...---", "only punctuation"],
  ["🚀🔥", "only emoji"],
  ["مرحبا بالعالم", "right-to-left text that nothing has"],
  ["^(a+)+$|[x-y]*", "regular-expression metacharacters"],
  ['" OR name:*', "FTS syntax"],
  ["x".repeat(100), "100 characters"],
  ["🚀".repeat(100), "100 characters of two UTF-16 units"],
];

for (const [q, reason] of FRUITLESS) {
  Deno.test(`GET projects with q of ${reason} returns an empty page`, async () => {
    await using app = await testApp();
    const { status, body } = await app.json(`${PATH}?q=${encodeURIComponent(q)}`);
    assertEquals(status, 200);
    assertEquals([body.projects, body.total, body.nextOffset], [[], 0, null]);
  });
}

Deno.test("GET projects far past the end returns an empty page with the true total", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  await fill(app, kv, [{}, {}, { state: "hidden" }, { state: "pending" }]);
  const { status, headers, body } = await app.json(`${PATH}?limit=1&offset=1000000`);
  assertEquals(status, 200);
  assertEquals([body.projects, body.total, body.nextOffset], [[], 2, null]);
  // Back to the last page with results.
  assertEquals(
    headers.get("link"),
    `<http://projectory.test${PATH}?limit=1&offset=1>; rel="prev"`,
  );
  assertMatch(
    await app.text("/projects?limit=1&offset=1000000"),
    /href="\/projects\?limit=1&amp;offset=1".*None of 2/,
  );
  // The contract has no maximum for offsets: any whole number is valid.
  for (const sort of ["hot", "new", "top", "hot&q=p", "hot&category=game"]) {
    for (const offset of [10_000_001, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      const far = await app.json(`${PATH}?sort=${sort}&limit=100&offset=${offset}`);
      assertEquals([far.status, far.body.projects, far.body.offset], [200, [], offset], sort);
    }
  }
});

Deno.test("GET projects ignores unknown parameters, names them, and ignores an empty q", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  await fill(app, kv, [{}]);
  const { body } = await app.json(`${PATH}?q=&query=pdf&__proto__=x`);
  assertEquals([body.total, body.ignoredParameters], [1, ["query", "__proto__"]]);
  assertEquals((await app.json(`${PATH}?q=`)).body.ignoredParameters, undefined);
  const skills = await app.json("/api/v1/skills?query=pdf");
  assertEquals(skills.body.ignoredParameters, ["query"]);
});

for (
  const [list, known] of [
    [PATH, "sort=new&category=other"],
    ["/api/v1/skills", "sort=new&kind=prompt"],
    ["/api/v1/operator-log", ""],
  ] as const
) {
  Deno.test(`pagination links of ${list} keep only known parameters`, async () => {
    await using app = await testApp();
    const asked = [`a${"x".repeat(5_000)}=1`, known, "constructor=1", "limit=1", "offset=5"];
    const { headers } = await app.json(`${list}?${asked.filter(Boolean).join("&")}`);
    const kept = [known, "limit=1", "offset=0"].filter(Boolean).join("&");
    assertEquals(headers.get("link"), `<http://projectory.test${list}?${kept}>; rel="prev"`);
    // A cached response is shared, so its links don't depend on the first reader's URL.
    const links = [`${list}/`, list].map(async (path) =>
      (await app.request(`${path}?offset=1`)).headers.get("link")
    );
    const prev = `<http://projectory.test${list}?offset=0>; rel="prev"`;
    assertEquals(await Promise.all(links), [prev, prev]);
  });
}

Deno.test("GET projects returns 30 projects per page by default, and up to 100", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  await fill(app, kv, Array.from({ length: 101 }, () => ({})));
  const { body } = await app.json(PATH);
  assertEquals([body.projects.length, body.limit, body.offset, body.nextOffset], [30, 30, 0, 30]);
  assertEquals((await app.json(`${PATH}?limit=100&offset=0`)).body.projects.length, 100);
});

Deno.test("GET projects with explain=1 adds the exact hot score and its parts", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  await fill(app, kv, [{ createdAt: TEST_NOW - 7 * HOUR_MS, up: 9, down: 2, clicks: 13 }]);
  const { body } = await app.json(`${PATH}?explain=1`);
  const { score, ...parts } = body.projects[0].explain;
  assertEquals(parts, { votes: 7, clicks: 13, ageHours: 7 });
  assert(Math.abs(score - (7 + 1.3 + 1) / 9 ** 1.5) < 1e-12);
  assertEquals((await app.json(PATH)).body.projects[0].explain, undefined);
});

Deno.test("GET projects with explain=1 returns whole pages of characters beyond Latin-1", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  await fill(
    app,
    kv,
    Array.from({ length: 30 }, (_, i) => ({ name: `${"日本語".repeat(9)} ${i}` })),
  );
  const { body } = await app.json(`${PATH}?explain=1`);
  assertEquals(body.projects.length, 30);
  assert(body.projects.every(({ explain }: { explain: unknown }) => explain !== undefined));
});

Deno.test("in every process, GET projects has the same ETag if and only if its bytes are the same", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  const rows = [{ up: 2, clicks: 20 }, { up: 2 }, { createdAt: TEST_NOW - HOUR_MS }];
  await fill(app, kv, rows);
  const otherKv = await Deno.openKv(":memory:");
  await using other = await testApp({ kv: otherKv });
  await fill(other, otherKv, rows);
  const bodies = new Map<string, string>();
  const etags = new Map<string, string>();
  const look = async (from: TestApp) => {
    for (const query of ["", "explain=1", "limit=1", "limit=1&offset=1", "q=nothing", "tag=none"]) {
      const response = await from.request(`${PATH}?sort=new&${query}`);
      const [etag, body] = [response.headers.get("etag")!, await response.text()];
      assertEquals(bodies.get(etag) ?? body, body, `one ETag for two bodies: ${query}`);
      assertEquals(etags.get(body) ?? etag, etag, `two ETags for one body: ${query}`);
      bodies.set(etag, body);
      etags.set(body, etag);
    }
    return bodies.size;
  };
  let known = await look(app);
  assertEquals(await look(other), known, "processes agree");
  const { catalogue } = app.deps;
  const span = { tierId: "bump-3" as const, startsAt: 0 };
  const rename = (name: string) => {
    const stored = storedListing("p-1", { name });
    listingKind(catalogue).put({ stored, extras: [null] });
  };
  const steps: (() => void)[] = [
    () => rename("One"),
    () => rename("Two"),
    () => catalogue.count("p-0", ({ votes }) => ({ votes: votes + 1 })),
    () => catalogue.count("p-0", ({ uses }) => ({ uses: uses + 1 })),
    () => catalogue.count("p-0", () => ({ votes: 21, uses: 3 })),
    () => catalogue.setGem("p-1", { note: "Few votes yet", since: TEST_NOW }),
    () => catalogue.setGem("p-1", { note: "Few votes still", since: TEST_NOW }),
    () => catalogue.setPromotion("p-0", [{ ...span, endsAt: TEST_NOW + HOUR_MS }]),
    () => catalogue.setPromotion("p-0", [{ ...span, endsAt: TEST_NOW + 2 * HOUR_MS }]),
    () => catalogue.setFrontRow([{ slug: "p-0", startsAt: 0, endsAt: TEST_NOW + HOUR_MS }]),
    () => catalogue.remove("p-0"),
    () => app.clock.advance(HOUR_MS),
  ];
  for (const [i, step] of steps.entries()) {
    step();
    const seen = await look(app);
    assert(seen > known, `step ${i} shows`);
    known = seen;
  }
});

Deno.test("GET projects reorders hot as time passes, without other changes", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  await fill(app, kv, [
    { createdAt: TEST_NOW - 48 * HOUR_MS, up: 60 },
    { createdAt: TEST_NOW, up: 1 },
  ]);
  const slugs = async () =>
    (await app.json(PATH)).body.projects.map(({ slug }: PublicListing) => slug);
  assertEquals(await slugs(), ["p-1", "p-0"]);
  app.clock.advance(5 * HOUR_MS);
  assertEquals(await slugs(), ["p-0", "p-1"]);
});

const row = fc.record({
  state: fc.constantFrom("live", "live", "live", "live", "hidden", "pending"),
  category: fc.constantFrom("saas", "game", null),
  builtWith: fc.subarray(["claude", "human"]),
  pricing: fc.constantFrom("free", "paid", null),
  tags: fc.subarray(["cli", "web"]),
  createdAt: fc.integer({ min: 0, max: 9 }).map((n) => TEST_NOW - n * n * HOUR_MS),
  up: fc.integer({ min: 3, max: 6 }),
  down: fc.integer({ min: 0, max: 3 }),
  clicks: fc.integer({ min: 0, max: 20 }),
}) as fc.Arbitrary<Partial<StoredListing> & Counts>;

Deno.test("GET projects, followed page by page, equals a recomputation from KV", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 3, maxLength: 40, size: "max" }),
      fc.constantFrom("hot", "new", "top"),
      fc.record({
        category: fc.constantFrom("saas", undefined, undefined),
        tool: fc.constantFrom("claude", undefined, undefined),
        pricing: fc.constantFrom("free", undefined, undefined),
        tag: fc.constantFrom("web", undefined, undefined),
      }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 0, max: 3 * DAY_MS }),
      async (rows, sort, filters, limit, later) => {
        const kv = await Deno.openKv(":memory:");
        await using app = await testApp({ kv });
        await fill(app, kv, rows);
        app.clock.advance(later);
        const expected = await recompute(kv, sort, filters, app.clock.now());
        const given = Object.entries(filters).filter(([, value]) => value !== undefined);
        const query = new URLSearchParams([["sort", sort], ["limit", `${limit}`], ...given as []]);
        const seen: unknown[] = [];
        for (let next: string | undefined = `${PATH}?${query}`; next !== undefined;) {
          const { body, headers } = await app.json(next);
          assertEquals(body.total, expected.length);
          seen.push(...body.projects.map((p: PublicListing) => [p.slug, p.votes, p.clicks]));
          next = headers.get("link")?.match(/<([^>]*)>; rel="next"/)?.[1];
          assertEquals(next === undefined, body.nextOffset === null);
        }
        assertEquals(seen, expected);
      },
    ),
    { numRuns: 40 },
  );
});

async function recompute(
  kv: Deno.Kv,
  sort: string,
  filters: { category?: string; tool?: string; pricing?: string; tag?: string },
  now: number,
) {
  const found: { listing: StoredListing; votes: number; clicks: number; key: number }[] = [];
  for await (const { value } of kv.list<StoredListing>({ prefix: listingKeys.all })) {
    const { slug, state, category, builtWith, pricing, tags, createdAt } = value;
    if (state !== "live") continue;
    if (filters.category !== undefined && category !== filters.category) continue;
    if (filters.tool !== undefined && !(builtWith as string[]).includes(filters.tool)) continue;
    if (filters.pricing !== undefined && pricing !== filters.pricing) continue;
    if (filters.tag !== undefined && !tags.includes(filters.tag)) continue;
    const count = async (key: Deno.KvKey) => Number((await kv.get<Deno.KvU64>(key)).value!.value);
    const votes = await count(voteKeys.count("listing", slug, "up")) -
      await count(voteKeys.count("listing", slug, "down"));
    const clicks = await count(listingKeys.clicks(slug));
    const hot = (votes + clicks * 0.1 + 1) / ((now - createdAt) / HOUR_MS + 2) ** 1.5;
    const key = sort === "new" ? 0 : sort === "top" ? votes : hot;
    found.push({ listing: value, votes, clicks, key });
  }
  return found.sort((a, b) =>
    b.key - a.key || b.listing.createdAt - a.listing.createdAt ||
    (a.listing.slug < b.listing.slug ? -1 : 1)
  ).map(({ listing, votes, clicks }) => [listing.slug, votes, clicks]);
}

Deno.test("only the browse page sorts a search by best match, and does so by default", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  await fill(app, kv, [
    { name: "Ink", tagline: "Nothing like a notebook at all, really", up: 50 },
    { name: "Notebook", tagline: "Paper", category: "design" },
  ]);
  const order = async (query: string) => {
    const html = await app.text(`/projects?q=notebook${query}`);
    return html.indexOf("/p/p-0") < html.indexOf("/p/p-1") ? "hot" : "best";
  };
  assertEquals(await Promise.all(["", "&sort=", "&sort=best"].map(order)), Array(3).fill("best"));
  assertEquals(await order("&sort=hot"), "hot");
  const filtered = await app.text("/projects?q=notebook&category=design");
  assertEquals(["p-0", "p-1"].map((slug) => filtered.includes(`/p/${slug}"`)), [false, true]);
  // A search by best match doesn't affect the other orders of the same words.
  for (const sort of ["hot", "top"]) {
    const { body } = await app.json(`${PATH}?q=notebook&sort=${sort}`);
    assertEquals(body.projects.map(({ slug }: { slug: string }) => slug), ["p-0", "p-1"], sort);
  }
  const form = await app.text("/projects");
  assertEquals(form.includes('name="sort"'), false, "a search from the hot list names no order");
  assertEquals((await app.json(`${PATH}?q=notebook&sort=best`)).status, 400);
});

Deno.test("GET projects finds a new project by a mistyped word immediately", async () => {
  await using app = await testApp();
  await submit(app, { name: "Terraform" });
  assertEquals((await app.json(`${PATH}?q=terrafrom`)).body.total, 1);
});

Deno.test("GET projects doesn't cache a placement that ended while the response was made", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  await fill(app, kv, [{}]);
  const { catalogue } = app.deps;
  const select = catalogue.select.bind(catalogue);
  const row = catalogue.row.bind(catalogue);
  for (const path of [`${PATH}?sort=new`, `${PATH}/p-0`]) {
    const endsAt = app.clock.now() + 100;
    catalogue.setPromotion("p-0", [{ tierId: "bump-3", startsAt: 0, endsAt }]);
    const promoted = async () => {
      const { body } = await app.json(path);
      return (body.project ?? body.projects[0]).promoted;
    };
    // The clock advances between reading the record and caching the response.
    const goOn = <T>(read: T): T => (app.clock.set(endsAt), read);
    catalogue.select = (query) => goOn(select(query));
    catalogue.row = (slug) => goOn(row(slug));
    assertEquals(await promoted(), true);
    Object.assign(catalogue, { select, row });
    assertEquals(await promoted(), false, path);
  }
});

for (
  const q of [
    "https://www.quokka.dev/docs/start",
    "HTTP://quokka.dev",
    "www.quokka.dev/",
    "quokka.dev/docs/start",
  ]
) {
  Deno.test(`GET projects finds a listing by its URL, pasted as ${q}`, async () => {
    await using app = await testApp();
    const urls = ["https://quokka.dev/docs/start", "https://quokka.example/"];
    for (const url of urls) await submit(app, { url });
    const { body } = await app.json(`${PATH}?q=${encodeURIComponent(q)}`);
    assertEquals(body.projects[0].url, urls[0]);
  });
}
