// The thread of `startVoter`.
import { constants, setPriority } from "node:os";
import { drive, type Load } from "./harness.ts";
import { voting } from "./scenarios/votes.ts";
import type { Voting } from "./voter.ts";

// Linux runs whoever takes in an answer on the processor of the server that sent it, and halts the server for that. Of
// the lowest priority, voters disturb no one who asks for lists; in the world outside they have processors of their own.
setPriority(constants.priority.PRIORITY_LOW);

addEventListener("message", async ({ data }) => postMessage(await vote(data)));

function vote({ server, votesASecond, seconds }: Voting): Promise<Load> {
  return drive(server, { ...voting(1_000), overallRate: votesASecond, seconds });
}
