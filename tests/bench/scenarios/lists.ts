import { categories } from "@/lib/catalog/categories.ts";
import { pricingSlug } from "@/lib/catalog/pricing.ts";
import { toolSlug } from "@/lib/catalog/tools.ts";
import { sortId } from "@/lib/read_model/sorts.ts";
import type { LoadOptions } from "../client.ts";
import { copyOf, directoryOf } from "../directory.ts";
import {
  drive,
  inTurns,
  type Load,
  quantile,
  rateRow,
  type Row,
  type Server,
  startBare,
  startOurs,
  startServer,
  type Turns,
  turnsRow,
} from "../harness.ts";

const LARGEST = 100_000;
const SIZES = [1_000, 10_000, LARGEST];
const LIST = "/api/v1/projects";
/** Short turns, and many of them: what disturbs the machine meets both sides alike. */
const ROUNDS = 15;
const SECONDS = 0.15;
/** Of two sizes. Two processes of one size differ a little too, so there are several of each. */
const SIZE_ROUNDS = 45;
const SIZE_SECONDS = 0.2;
const PROCESSES = 3;
/** How many listings are shown over and over, before pages come of listings that no page has shown. */
const SHOWN = 20_000;
/** Seconds of those pages: they end after 80,000 listings. */
const SECONDS_ONWARD = 0.1;
/** Starts of a process to measure them. */
const STARTS = 5;
/** Seconds of each load that a process gets beforehand: code is compiled meanwhile, and a service is up for days. */
const WARM_UP = 1;

type Next = NonNullable<LoadOptions["next"]>;

/** Walks through pages of 30 that nobody asked for before, of a list that is `total` long. */
function walk(query: string, total: number): Next {
  let serial = Math.floor(Math.random() * 1_000_000);
  return (request) => {
    serial += 7919;
    const offset = serial % Math.max(1, total - 30);
    return { ...request, path: `${LIST}?${query}&offset=${offset}&n=${serial}` };
  };
}

/**
 * Reads pages anywhere under two and three filters, all combinations in each order. They are so many that each one is
 * forgotten until its turn comes again: each page under three is the first of its list. Lists under two of its filters
 * may be kept by then, as in a directory that many use.
 */
async function anyFilters(server: Server): Promise<Next> {
  const filters = categories.flatMap(({ slug }) => {
    const tools = toolSlug.options.map((tool) => `category=${slug}&tool=${tool}`);
    const prices = pricingSlug.options.map((pricing) => `pricing=${pricing}`);
    return [
      ...tools,
      ...prices.map((price) => `category=${slug}&${price}`),
      ...tools.flatMap((pair) => prices.map((price) => `${pair}&${price}`)),
    ];
  });
  const walks: Next[] = [];
  for (const filter of filters) {
    const total = await totalOf(server, filter);
    // Only pages of 30 have as many bytes as the peer's.
    if (total < 60) continue;
    walks.push(...sortId.options.map((sort) => walk(`${filter}&sort=${sort}`, total)));
  }
  let turn = 0;
  return (request) => walks[turn++ % walks.length]!(request);
}

/** Goes through a list once, page by page, from an offset on. */
function onward(query: string, start: number): Next {
  let offset = start;
  return (request) => ({ ...request, path: `${LIST}?${query}&offset=${offset += 30}` });
}

/** Reads the first ten pages of a list, as many readers do. */
function firstPages(query: string): Next {
  return (request) => ({
    ...request,
    path: `${LIST}?${query}&offset=${30 * Math.floor(Math.random() * 10)}`,
  });
}

/**
 * Reads at each size of directory against bare `Deno.serve` that answers the same bytes; the larger ones against
 * 1,000 listings, and those against their like; the largest against Hono over SQLite.
 */
export async function* lists(): AsyncGenerator<Row> {
  for (const size of SIZES) {
    await using ours = await startWarm(await directoryOf(size), size);
    yield* againstBare(ours, size);
    if (size === LARGEST) {
      yield await neverShown(size);
      yield* againstFullPage(ours);
      await using hono = await startServer("tests/bench/peers/hono_sqlite.ts", {
        args: [await directoryOf(size)],
      });
      yield* againstHono(ours, hono);
    }
  }
  // Against its like first: how much two servers that do the same differ on this machine today.
  yield* againstSmall(1_000);
  yield* againstSmall(10_000);
  yield* againstSmall(100_000);
}

/** Starts our server on a directory's file, and waits until it has nothing else to do than to answer. */
async function startWarm(file: string, size: number): Promise<Server> {
  const ours = await startOurs(file);
  // A search answers when the texts are indexed.
  await (await fetch(`${ours.base}${LIST}?q=ready`)).body?.cancel();
  await drive(ours, { path: LIST, next: walk("sort=new", size), seconds: 3 });
  return ours;
}

/** How many listings match a query. */
async function totalOf(server: Server, query: string): Promise<number> {
  return (await (await fetch(`${server.base}${LIST}?${query}`)).json()).total;
}

async function* againstBare(ours: Server, size: number): AsyncGenerator<Row> {
  const cases: [scenario: string, atLeast: number, path: string, next?: Next][] = [
    ["list of 30, hot", 0.5, LIST],
    ["one listing", 0.45, `${LIST}/listing-7`],
    ["trending", 0.5, "/api/v1/trending"],
  ];
  for (
    const [scenario, query] of [
      ["hot, any page", "sort=hot"],
      ["new, any page", "sort=new"],
      ["top, any page", "sort=top"],
      ["category", "category=saas"],
      ["tool and pricing, top", "tool=claude&pricing=free&sort=top"],
      ["tag", "tag=cli"],
      ["searched", "q=parser"],
    ] as const
  ) {
    const next = walk(query, await totalOf(ours, query));
    cases.push([`${scenario}, uncached`, 0.3, `${LIST}?${query}`, next]);
  }
  if (size === LARGEST) {
    cases.push(["any filters, uncached", 0.3, LIST, await anyFilters(ours)]);
  }
  for (const [scenario, atLeast, path, next] of cases) {
    await using bare = await startBare(await fetch(ours.base + path, IDENTITY));
    for (const server of [ours, bare]) await drive(server, { path, next, seconds: WARM_UP });
    const loads = await inTurns(
      ROUNDS,
      () => drive(ours, { path, next, seconds: SECONDS }),
      () => drive(bare, { path, next, seconds: SECONDS }),
    );
    const name = `${size.toLocaleString("en")}: ${scenario}`;
    yield rateRow(name, "bare Deno.serve", loads, { atLeast });
  }
}

/** Pages of listings that no page has shown yet, in processes just started. */
async function neverShown(size: number): Promise<Row> {
  const loads: Turns<Load> = { ours: [], theirs: [] };
  for (let i = 0; i < STARTS; i++) {
    await using ours = await startOurs(await directoryOf(size));
    await (await fetch(`${ours.base}${LIST}?q=ready`)).body?.cancel();
    await using bare = await startBare(await fetch(`${ours.base}${LIST}?sort=new`, IDENTITY));
    for (const server of [ours, bare]) {
      await drive(server, { path: LIST, next: walk("sort=new", SHOWN), seconds: 3 });
    }
    const load = (server: Server) =>
      drive(server, { path: LIST, next: onward("sort=new", SHOWN), seconds: SECONDS_ONWARD });
    loads.theirs.push(await load(bare));
    loads.ours.push(await load(ours));
  }
  const name = `${size.toLocaleString("en")}: new, never shown, uncached`;
  return rateRow(name, "bare Deno.serve", loads, { atLeast: 0.3 });
}

/** Otherwise fetch asks for gzip by itself. */
const IDENTITY = { headers: { "accept-encoding": "identity" } };

async function* againstFullPage(ours: Server): AsyncGenerator<Row> {
  // Time moves the hot order, and an ETag of it would soon be answered with the whole page.
  const path = `${LIST}?sort=new`;
  const { headers } = await fetch(ours.base + path, IDENTITY);
  const load = (sent: Record<string, string>) => () =>
    drive(ours, { path, headers: sent, allow: [304], seconds: SECONDS });
  const known = load({ "if-none-match": headers.get("etag")! });
  const full = load({});
  for (
    const [scenario, other, atLeast] of [
      ["304", known, 1.3],
      ["gzip", load({ "accept-encoding": "gzip" }), 0.5],
    ] as const
  ) {
    yield rateRow(scenario, "the full page", await inTurns(ROUNDS, other, full), { atLeast });
  }
}

/** A directory of `count` listings against one of 1,000. */
async function* againstSmall(count: number): AsyncGenerator<Row> {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "projectory-bench-lists-" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const start = (size: number) =>
    Promise.all(Array.from({ length: PROCESSES }, async () => {
      const file = await copyOf(size, `${folder}/${crypto.randomUUID()}.sqlite3`);
      return stack.use(await startWarm(file, size));
    }));
  const large = await start(count);
  const small = await start(1_000);
  for (
    const [name, query] of [
      ["list of 30, hot", undefined],
      ["hot, any page", "sort=hot"],
      ["new, any page", "sort=new"],
      ["category", "category=saas"],
    ] as const
  ) {
    const walks = await Promise.all(
      [large, small].map(async (servers) =>
        query ? walk(query, await totalOf(servers[0]!, query)) : undefined
      ),
    );
    for (const [i, servers] of [large, small].entries()) {
      for (const server of servers) {
        await drive(server, { path: LIST, next: walks[i], seconds: WARM_UP });
      }
    }
    const seconds = SIZE_SECONDS;
    const loads = await inTurns(
      SIZE_ROUNDS,
      (i) => drive(large[i % PROCESSES]!, { path: LIST, next: walks[0], seconds }),
      (i) => drive(small[i % PROCESSES]!, { path: LIST, next: walks[1], seconds }),
    );
    const scenario = `${count.toLocaleString("en")}: ${name}${query ? ", uncached" : ""}`;
    const against = "1,000 listings";
    yield rateRow(scenario, against, loads, { atLeast: 0.85 });
    yield turnsRow(`${scenario}, p99`, against, loads, {
      figure: ({ latencies }) => quantile(latencies, 0.99),
      unit: "ms",
      need: { atMost: 1.3 },
    });
  }
}

async function* againstHono(ours: Server, hono: Server): AsyncGenerator<Row> {
  const cases: [string, Next | undefined][] = [
    ["hot", undefined],
    ["category, first ten pages", firstPages("category=saas")],
    ["hot, any page", walk("sort=hot", 100_000)],
    ["new, any page", walk("sort=new", 100_000)],
    ["category, any page", walk("category=saas", await totalOf(ours, "category=saas"))],
  ];
  for (const [name, next] of cases) {
    const loads = await inTurns(
      ROUNDS,
      () => drive(ours, { path: LIST, next, seconds: SECONDS }),
      () => drive(hono, { path: LIST, next, seconds: SECONDS }),
    );
    yield rateRow(`100,000: ${name}`, "Hono, node:sqlite", loads, { atLeast: 6 });
  }
}
