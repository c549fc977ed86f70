// The thread of `startVoter`.
import { constants, setPriority } from "node:os";
import { drive, type Load } from "./harness.ts";
import { newAddress } from "./scenarios/writes.ts";
import type { Voting } from "./voter.ts";

// Linux runs whoever takes in an answer on the processor of the server that sent it, and halts the server for that. Of
// the lowest priority, voters disturb no one who asks for lists; in the world outside they have processors of their own.
setPriority(constants.priority.PRIORITY_LOW);

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
