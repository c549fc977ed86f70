import { directoryOf } from "../directory.ts";
import { drive, inTurns, type Load, type Row, row, startOurs } from "../harness.ts";
import { newAddress } from "./writes.ts";

const VOTES_A_SECOND = 1_000;
const LISTS_A_SECOND = 200;
const SECONDS = 4;

/** Lists while people vote: the tail of latencies, at a rate that leaves the server idle otherwise. */
export async function mixed(): Promise<Row[]> {
  await using ours = await startOurs(await directoryOf(100_000));
  await (await fetch(`${ours.base}/api/v1/projects?q=ready`)).body?.cancel();
  const lists = () =>
    drive(ours, {
      path: "/api/v1/projects",
      connections: 8,
      overallRate: LISTS_A_SECOND,
      seconds: SECONDS,
    });
  const votes: Load[] = [];
  const busy = async () => {
    const voting = drive(ours, {
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
    const [load] = await Promise.all([lists(), voting.then((l) => votes.push(l))]);
    return load;
  };
  const p99 = await inTurns(3, busy, lists, (load) => load.p99);
  const reached = Math.max(...votes.map(({ rate }) => rate));
  return [
    row("p99 of lists during 1,000 votes/s", "idle p99", p99, { unit: "ms", need: { atMost: 2 } }),
    row("votes meanwhile", "1,000 a second", [reached, VOTES_A_SECOND]),
  ];
}
