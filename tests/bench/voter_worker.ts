// The thread that `startVoter` starts.
import { constants, setPriority } from "node:os";
import { drive, type Load } from "./harness.ts";
import { voting } from "./scenarios/votes.ts";
import type { Voting } from "./voter.ts";

// Linux runs the receiver of a response on the processor of the server that sent it, which halts
// the server. At the lowest priority, voters don't slow down the lists. Real voters have their own
// processors.
setPriority(constants.priority.PRIORITY_LOW);

addEventListener("message", async ({ data }) => postMessage(await vote(data)));

function vote({ server, votesASecond, seconds }: Voting): Promise<Load> {
  return drive(server, { ...voting(1_000), overallRate: votesASecond, seconds });
}
