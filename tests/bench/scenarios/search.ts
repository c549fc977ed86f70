import { copyOf } from "../directory.ts";
import {
  answers,
  LIST,
  quantile,
  type Row,
  type Server,
  startOurs,
  startServer,
} from "../harness.ts";

const SIZE = 100_000;
const QUERIES = 300;

/**
 * Compares distinct searches, each sent once and one at a time, with MiniSearch using prefixes and
 * fuzzy words.
 */
export async function* search(): AsyncGenerator<Row> {
  await using ours = await startOurs(await copyOf(SIZE));
  const queries = await makeQueries(ours);
  const took = await latencies(queries, `${ours.base}${LIST}?q=`);
  for (const [name, part, atMost] of [["p50", 0.5, 3], ["p99", 0.99, 60]] as const) {
    yield {
      what: `search, ${name}, 100,000 listings`,
      figure: quantile(took, part),
      unit: "ms",
      wanted: { atMost },
    };
  }
  await using peer = await startServer("tests/bench/peers/minisearch.ts", [ours.base]);
  const theirs = await latencies(queries, `${peer.base}/?q=`);
  const [mine, other] = [took, theirs].map((side) => side.reduce((sum, ms) => sum + ms, 0));
  yield {
    what: "search, 100,000 listings",
    figure: other! / mine!,
    unit: "times as fast as MiniSearch",
    wanted: { atLeast: 8 },
    from: `${(mine! / QUERIES).toFixed(2)} and ${(other! / QUERIES).toFixed(2)} ms on average`,
  };
}

async function latencies(queries: string[], address: string): Promise<number[]> {
  const took: number[] = [];
  // The first ones don't count, because they compile code.
  for (const q of ["warm", "up", ...queries]) {
    const begin = performance.now();
    const response = await fetch(address + encodeURIComponent(q), {
      headers: { "accept-encoding": "identity" },
    });
    await response.bytes();
    if (response.status !== 200) throw new Error(`Search for "${q}": status ${response.status}`);
    took.push(performance.now() - begin);
  }
  return took.slice(2);
}

/** Words, starts of words, pairs of words and mistyped words from the listings' own texts. */
async function makeQueries(server: Server): Promise<string[]> {
  const queries = new Set<string>();
  for (let i = 0; queries.size < QUERIES; i++) {
    const { project } = JSON.parse(await answers(server, `${LIST}/listing-${i * 7919 % SIZE}`));
    const words = `${project.name} ${project.tagline}`.toLowerCase().match(/[a-z]{4,}/g) ?? [];
    const word = words[i % Math.max(1, words.length)];
    const other = words[(i * 3 + 1) % Math.max(1, words.length)];
    if (word === undefined || other === undefined) continue;
    const forms = [
      word,
      word.slice(0, 3 + i % 3),
      `${word} ${other.slice(0, 4)}`,
      word.slice(0, 2) + word.slice(3),
    ];
    queries.add(forms[i % 4]!);
  }
  return [...queries];
}
