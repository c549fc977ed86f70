import { copyOf } from "../directory.ts";
import { drive, LIST, type Load, quantile, type Row, startOurs } from "../harness.ts";
import { startVoter } from "../voter.ts";

const VOTES_A_SECOND = 1_000;
const LISTS_A_SECOND = 200;
/** Seconds of one turn. */
const SECONDS = 3;
const ROUNDS = 8;
/**
 * How long (s) lists and votes run before they count: code is compiled first, and a service is up
 * for days.
 */
const WARM_UP = 15;

/**
 * Measures the tail of list latencies while people vote, at a rate of lists that leaves the server
 * mostly idle. Quantiles are taken over all turns together: the tail of a single turn has only six
 * responses.
 */
export async function* tail(): AsyncGenerator<Row> {
  await using ours = await startOurs(await copyOf(100_000));
  using vote = startVoter();
  const lists = (seconds: number) =>
    drive(ours, { path: LIST, connections: 8, overallRate: LISTS_A_SECOND, seconds });
  const both = (seconds: number) =>
    Promise.all([
      lists(seconds),
      vote({ server: { base: ours.base }, votesASecond: VOTES_A_SECOND, seconds }),
    ]);
  await both(WARM_UP);
  const idle: Load[] = [];
  const busy: Load[] = [];
  let votes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(await lists(SECONDS));
    const [beside, voting] = await both(SECONDS);
    busy.push(beside);
    votes += voting.rate / ROUNDS;
  }
  const [during, alone] = [busy, idle].map((loads) =>
    quantile(loads.flatMap(({ latencies }) => [...latencies]), 0.99)
  ) as [number, number];
  yield {
    what: "p99 of lists during 1,000 votes a second",
    figure: during / alone,
    unit: "times idle",
    wanted: { atMost: 4 },
    from: `${during.toFixed(2)} and ${alone.toFixed(2)} ms; ${Math.round(votes)} votes/s`,
  };
}
