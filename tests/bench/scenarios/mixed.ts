import { copyOf } from "../directory.ts";
import {
  drive,
  type Load,
  median,
  quantile,
  type Row,
  row,
  saveAnswer,
  type Server,
  startOurs,
  startServer,
} from "../harness.ts";
import { startVoter } from "../voter.ts";

const LIST = "/api/v1/projects";
const VOTES_A_SECOND = 1_000;
const LISTS_A_SECOND = 200;
const SECONDS = 4;
/** Seconds of lists and votes that both get beforehand: code is compiled meanwhile, and a service is up for days. */
const WARM_UP = 30;
const ROUNDS = 12;

/**
 * Lists while people vote: the tail of latencies, at a rate that leaves the server idle otherwise. Beside it, in turns,
 * the same for bare `Deno.serve` and raw KV in one process: what two processors and a disk allow at best, shared with
 * the client. A quantile is that of all turns together: in the tail of one turn there are eight answers, and what they
 * say differs by half from turn to turn.
 */
export async function* mixed(): AsyncGenerator<Row> {
  const folder = await Deno.makeTempDir({ prefix: "projectory-bench-mixed-" });
  await using ours = await startOurs(await copyOf(100_000, `${folder}/ours.sqlite3`));
  await (await fetch(`${ours.base}${LIST}?q=ready`)).body?.cancel();
  const answer = await saveAnswer(
    await fetch(ours.base + LIST, { headers: { "accept-encoding": "identity" } }),
  );
  await using raw = await startServer("tests/bench/peers/bare_and_kv.ts", {
    args: [answer, `${folder}/raw.sqlite3`],
  });
  using vote = startVoter();
  const sides = [
    { name: "lists", need: { atMost: 2 }, ...begin(ours) },
    { name: "bare lists", need: undefined, ...begin(raw) },
  ];
  const both = ({ base, pid }: Server, seconds: number) =>
    Promise.all([
      readLists({ base, pid }, seconds),
      vote({ server: { base, pid }, votesASecond: VOTES_A_SECOND, seconds }),
    ]);
  for (const { server } of sides) await both(server, WARM_UP);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { server, idle, busy, votes } of sides) {
      const alone = await readLists(server, SECONDS);
      const [beside, voting] = await both(server, SECONDS);
      idle.push(alone);
      busy.push(beside);
      votes.push(voting);
    }
  }
  for (const [name, part] of [["p99", 0.99], ["p50", 0.5]] as const) {
    for (const { name: answers, need, idle, busy } of sides) {
      yield row(
        `${name} of ${answers} during 1,000 votes/s`,
        `idle ${name}`,
        [ofAll(busy, part), ofAll(idle, part)],
        { unit: "ms", need: name === "p99" ? need : undefined },
      );
    }
  }
  for (const { name, votes } of sides) {
    const rate = median(votes.map(({ rate }) => rate));
    yield row(`votes beside ${name}`, "1,000 a second", [rate, VOTES_A_SECOND]);
  }
}

/** A server, and what is measured of it. */
function begin(server: Server) {
  return { server, idle: [] as Load[], busy: [] as Load[], votes: [] as Load[] };
}

/** A quantile of the latencies of several loads together. */
function ofAll(loads: Load[], part: number): number {
  const latencies = loads.flatMap(({ latencies }) => [...latencies]);
  return quantile(Float64Array.from(latencies).sort(), part);
}

function readLists(server: Pick<Server, "base" | "pid">, seconds: number): Promise<Load> {
  return drive(server, {
    path: LIST,
    connections: 8,
    overallRate: LISTS_A_SECOND,
    seconds,
  });
}
