// The thread of `startVoter`.
import { drive, type Load } from "./harness.ts";
import { newAddress } from "./scenarios/writes.ts";
import type { Voting } from "./voter.ts";

addEventListener("message", async ({ data }) => postMessage(await vote(data)));

function vote({ server, votesASecond, seconds }: Voting): Promise<Load> {
  return drive(server, {
    path: "/",
    method: "POST",
    connections: 64,
    overallRate: votesASecond,
    seconds,
    next: (request) => ({
      ...request,
      path: `/api/v1/projects/listing-${Math.floor(Math.random() * 1_000)}/vote`,
      headers: { ...request.headers, "x-forwarded-for": newAddress() },
    }),
  });
}
