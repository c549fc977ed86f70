import type autocannon from "autocannon";
import { directoryOf } from "../directory.ts";
import {
  drive,
  inTurns,
  type Load,
  type Row,
  row,
  type Server,
  startBare,
  startOurs,
  startServer,
} from "../harness.ts";

const LARGE = 100_000;
const MIDDLE = 10_000;
const LIST = "/api/v1/projects";
const ROUNDS = 3;

type Next = (request: autocannon.Request) => autocannon.Request;

/** Walks through pages that nobody asked for before. */
function walk(query: string, last: number): Next {
  let serial = Math.floor(Math.random() * 1_000_000);
  return (request) => ({
    ...request,
    path: `${LIST}?${query}&offset=${(serial += 7919) % last}&n=${serial}`,
  });
}

/** Reads the first ten pages of a list, as many readers do. */
function firstPages(query: string): Next {
  return (request) => ({
    ...request,
    path: `${LIST}?${query}&offset=${30 * Math.floor(Math.random() * 10)}`,
  });
}

/** Lists at 100,000 listings: against bare `Deno.serve`, against 1,000 listings, and against Hono over SQLite. */
export async function lists(): Promise<Row[]> {
  await using large = await startOurs(await directoryOf(LARGE));
  await using middle = await startOurs(await directoryOf(MIDDLE));
  await using small = await startOurs(await directoryOf(1_000));
  await using hono = await startServer("tests/bench/peers/hono_sqlite.ts", {
    args: [await directoryOf(LARGE)],
  });
  for (const { base } of [large, middle, small]) {
    // A search answers when the texts are indexed: from then on the server has nothing else to do.
    await (await fetch(`${base}${LIST}?q=ready`)).body?.cancel();
  }
  return [
    ...await againstBare(large),
    ...await againstSmall(large, LARGE, small),
    ...await againstSmall(middle, MIDDLE, small),
    ...await againstHono(large, hono),
  ];
}

async function againstBare(ours: Server): Promise<Row[]> {
  const rows: Row[] = [];
  const cases: [scenario: string, path: string, atLeast: number, next?: Next][] = [
    ["100,000: list of 30, hot", LIST, 0.5],
    ["100,000: one listing", `${LIST}/listing-7`, 0.45],
    ["100,000: trending", "/api/v1/trending", 0.5],
    [
      "100,000: new, deep, uncached",
      `${LIST}?sort=new&offset=50000`,
      0.3,
      walk("sort=new", 99_000),
    ],
    [
      "100,000: top, deep, uncached",
      `${LIST}?sort=top&offset=50000`,
      0.3,
      walk("sort=top", 99_000),
    ],
    [
      "100,000: category, deep, uncached",
      `${LIST}?category=saas&offset=3000`,
      0.3,
      walk("category=saas", 7_600),
    ],
    [
      "100,000: tool and pricing, uncached",
      `${LIST}?tool=claude&pricing=free&sort=top&offset=600`,
      0.3,
      walk("tool=claude&pricing=free&sort=top", 1_200),
    ],
    ["100,000: tag, uncached", `${LIST}?tag=cli&offset=600`, 0.3, walk("tag=cli", 4_000)],
    ["100,000: searched, uncached", `${LIST}?q=parser&offset=60`, 0.3, walk("q=parser", 3_000)],
  ];
  for (const [scenario, path, atLeast, next] of cases) {
    await using bare = await startBare(await fetch(ours.base + path, IDENTITY));
    const rates = await inTurns(
      ROUNDS,
      () => drive(ours, { path, next }),
      () => drive(bare, { path, next }),
      (load) => load.rate,
    );
    rows.push(row(scenario, "bare Deno.serve", rates, { need: { atLeast } }));
  }
  const full = () => drive(ours, { path: LIST });
  const { headers } = await fetch(ours.base + LIST, IDENTITY);
  const known = () =>
    drive(ours, { path: LIST, headers: { "if-none-match": headers.get("etag")! }, allow: [304] });
  const zipped = () => drive(ours, { path: LIST, headers: { "accept-encoding": "gzip" } });
  const against = "the full page";
  rows.push(
    row("304", against, await inTurns(ROUNDS, known, full, (l) => l.rate), {
      need: { atLeast: 1.3 },
    }),
    row("gzip", against, await inTurns(ROUNDS, zipped, full, (l) => l.rate), {
      need: { atLeast: 0.5 },
    }),
  );
  return rows;
}

/** Otherwise fetch asks for gzip by itself. */
const IDENTITY = { headers: { "accept-encoding": "identity" } };

/** A directory of `count` listings against one of 1,000. */
async function againstSmall(large: Server, count: number, small: Server): Promise<Row[]> {
  const rows: Row[] = [];
  const ofAll = (n: number) => walk("sort=new", Math.floor(n * 0.9));
  const ofCategory = (n: number) => walk("category=saas", Math.floor(n / 20));
  const cases: [string, string, Next | undefined, Next | undefined][] = [
    ["hot", LIST, undefined, undefined],
    ["new, uncached", `${LIST}?sort=new`, ofAll(1_000), ofAll(count)],
    ["category, uncached", `${LIST}?category=saas`, ofCategory(1_000), ofCategory(count)],
  ];
  for (const [name, path, nextSmall, nextLarge] of cases) {
    const runs: [Load[], Load[]] = [[], []];
    await inTurns(
      ROUNDS,
      async () => runs[0][runs[0].push(await drive(large, { path, next: nextLarge })) - 1]!,
      async () => runs[1][runs[1].push(await drive(small, { path, next: nextSmall })) - 1]!,
      (load) => load.rate,
    );
    const median = (side: 0 | 1, value: (load: Load) => number) =>
      runs[side].slice(1).map(value).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
    const scenario = `${count.toLocaleString("en")}: ${name}`;
    rows.push(
      row(scenario, "1,000 listings", [median(0, (l) => l.rate), median(1, (l) => l.rate)], {
        need: { atLeast: 0.85 },
      }),
      row(
        `${scenario}, p99`,
        "1,000 listings",
        [median(0, (l) => l.p99), median(1, (l) => l.p99)],
        {
          unit: "ms",
          need: { atMost: 1.3 },
        },
      ),
    );
  }
  return rows;
}

async function againstHono(ours: Server, hono: Server): Promise<Row[]> {
  const rows: Row[] = [];
  const cases: [string, string, Next | undefined][] = [
    ["hot", LIST, undefined],
    ["category, first ten pages", `${LIST}?category=saas`, firstPages("category=saas")],
    ["new, any page", `${LIST}?sort=new`, walk("sort=new", 99_000)],
  ];
  for (const [name, path, next] of cases) {
    const rates = await inTurns(
      ROUNDS,
      () => drive(ours, { path, next }),
      () => drive(hono, { path, next }),
      (load) => load.rate,
    );
    rows.push(row(`100,000: ${name}`, "Hono, node:sqlite", rates, { need: { atLeast: 6 } }));
  }
  return rows;
}
