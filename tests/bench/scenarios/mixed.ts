import { directoryOf } from "../directory.ts";
import {
  compare,
  drive,
  type Load,
  type Row,
  row,
  saveAnswer,
  type Server,
  startOurs,
  startServer,
} from "../harness.ts";
import { newAddress } from "./writes.ts";

const LIST = "/api/v1/projects";
const VOTES_A_SECOND = 1_000;
const LISTS_A_SECOND = 200;
const SECONDS = 4;
const ROUNDS = 3;

/**
 * Lists while people vote: the tail of latencies, at a rate that leaves the server idle otherwise. Beside it the same
 * for bare `Deno.serve` and raw KV in one process, which is what two processors and a disk allow at best.
 */
export async function* mixed(): AsyncGenerator<Row> {
  await using ours = await startOurs(await directoryOf(100_000));
  await (await fetch(`${ours.base}${LIST}?q=ready`)).body?.cancel();
  const answer = await saveAnswer(
    await fetch(ours.base + LIST, { headers: { "accept-encoding": "identity" } }),
  );
  const folder = await Deno.makeTempDir({ prefix: "projectory-bench-raw-" });
  await using raw = await startServer("tests/bench/peers/bare_and_kv.ts", {
    args: [answer, `${folder}/kv.sqlite3`],
  });
  for (const [name, server] of [["lists", ours], ["bare lists beside raw KV", raw]] as const) {
    const votes: number[] = [];
    const [busy, idle] = await compare(
      ROUNDS,
      async () => {
        const [load, voting] = await Promise.all([readLists(server), vote(server)]);
        votes.push(voting.rate);
        return load;
      },
      () => readLists(server),
    );
    const need = server === ours ? { atMost: 2 } : undefined;
    yield row(`p99 of ${name} during 1,000 votes/s`, "idle p99", [busy.p99, idle.p99], {
      unit: "ms",
      need,
    });
    yield row(`p50 of ${name} during 1,000 votes/s`, "idle p50", [busy.p50, idle.p50], {
      unit: "ms",
    });
    yield row("votes meanwhile", "1,000 a second", [Math.max(...votes), VOTES_A_SECOND]);
  }
}

function readLists(server: Server): Promise<Load> {
  return drive(server, {
    path: LIST,
    connections: 8,
    overallRate: LISTS_A_SECOND,
    seconds: SECONDS,
  });
}

function vote(server: Server): Promise<Load> {
  return drive(server, {
    path: "/",
    method: "POST",
    connections: 64,
    overallRate: VOTES_A_SECOND,
    seconds: SECONDS,
    next: (request) => ({
      ...request,
      path: `/api/v1/projects/listing-${Math.floor(Math.random() * 1_000)}/vote`,
      headers: { ...request.headers, "x-forwarded-for": newAddress() },
    }),
  });
}
