import type { Load, Server } from "./harness.ts";

/** Where to vote, how often, and for how long. */
export interface Voting {
  server: Pick<Server, "base">;
  votesASecond: number;
  seconds: number;
}

/** Starts a thread that only votes, so that votes don't delay the reading of lists. */
export function startVoter(): Disposable & ((voting: Voting) => Promise<Load>) {
  const worker = new Worker(new URL("voter_worker.ts", import.meta.url), { type: "module" });
  const vote = (voting: Voting) =>
    new Promise<Load>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = reject;
      worker.postMessage(voting);
    });
  return Object.assign(vote, { [Symbol.dispose]: () => worker.terminate() });
}
