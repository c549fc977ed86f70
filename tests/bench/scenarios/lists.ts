import type { LoadOptions } from "../client.ts";
import { copyOf } from "../directory.ts";
import {
  answers,
  compare,
  drive,
  IDENTITY,
  LIST,
  type Row,
  type Server,
  startBare,
  startOurs,
  startServer,
} from "../harness.ts";

/** Many short turns, so that anything that disturbs the machine affects both sides alike. */
const ROUNDS = 15;
const SECONDS = 0.15;
/**
 * How long (s) each load runs before it counts: code is compiled first, and a service is up for
 * days.
 */
const WARM_UP = 1;

type Next = NonNullable<LoadOptions["next"]>;

/** Lists that are requested page by page. */
const PAGES: [name: string, query: string][] = [
  ["new", "sort=new"],
  ["hot", "sort=hot"],
  ["category", "category=saas"],
];

/** Walks through pages of 30 that were never requested before, in a list of `total` entries. */
function walk(query: string, total: number): Next {
  let serial = Math.floor(Math.random() * 1_000_000);
  return (request) => {
    serial += 7919;
    const offset = serial % Math.max(1, total - 30);
    return { ...request, path: `${LIST}?${query}&offset=${offset}&n=${serial}` };
  };
}

/** Compares reads with bare `Deno.serve`, which sends the same bytes, and with Hono over SQLite. */
export async function* lists(): AsyncGenerator<Row> {
  for (const size of [1_000, 100_000]) {
    await using ours = await startOurs(await copyOf(size));
    yield* againstBare(ours, size);
    if (size === 1_000) continue;
    yield await unchanged(ours);
    await using hono = await startServer("tests/bench/peers/hono_sqlite.ts", [ours.base]);
    for (const [name, query] of PAGES) {
      const next = walk(query, await totalOf(ours, query));
      yield await compare({
        what: `new page (${name}), 100,000 listings`,
        peer: "Hono and node:sqlite",
        wanted: { atLeast: 5 },
        ...turns([ours, hono], next),
      });
    }
  }
}

async function* againstBare(ours: Server, size: number): AsyncGenerator<Row> {
  const cases: [what: string, atLeast: number, path: string, next?: Next][] = [
    ["kept list of 30", 0.45, LIST],
    ["one listing", 0.45, `${LIST}/listing-7`],
  ];
  for (const [name, query] of PAGES) {
    const next = walk(query, await totalOf(ours, query));
    cases.push([`new page (${name})`, 0.2, `${LIST}?${query}`, next]);
  }
  for (const [what, atLeast, path, next] of cases) {
    await using bare = await startBare(await fetch(ours.base + path, IDENTITY));
    for (const server of [ours, bare]) await drive(server, { path, next, seconds: WARM_UP });
    yield await compare({
      what: `${what}, ${size.toLocaleString("en")} listings`,
      peer: "bare Deno.serve",
      wanted: { atLeast },
      ...turns([ours, bare], next, path),
    });
  }
}

/** The same load on both sides. */
function turns([ours, theirs]: [Server, Server], next?: Next, path = LIST) {
  const load = (server: Server) => () => drive(server, { path, next, seconds: SECONDS });
  return { rounds: ROUNDS, ours: load(ours), theirs: load(theirs) };
}

/** Compares the 304 for a list that its reader already has with the whole page. */
async function unchanged(ours: Server): Promise<Row> {
  // The hot order changes over time, so its ETag would soon get the whole page.
  const path = `${LIST}?sort=new`;
  const { headers, body } = await fetch(ours.base + path, IDENTITY);
  await body?.cancel();
  const load = (sent?: Record<string, string>) => () =>
    drive(ours, { path, headers: sent, allow: [304], seconds: SECONDS });
  return await compare({
    what: "304 for a list of 30",
    peer: "the whole page",
    wanted: { atLeast: 1 },
    rounds: ROUNDS,
    ours: load({ "if-none-match": headers.get("etag")! }),
    theirs: load(),
  });
}

/** How many listings match a query. */
async function totalOf(server: Server, query: string): Promise<number> {
  return JSON.parse(await answers(server, `${LIST}?${query}`)).total;
}
