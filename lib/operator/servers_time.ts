import { storeKeys } from "../kv/keys.ts";
import type { Deps } from "./deps.ts";
import type { JobRun } from "./jobs.ts";
import { operatorKeys } from "./keys.ts";

/** The jobs that servers note most often. */
const OFTEN_NOTED = ["settle-payments", "ai-of-the-day"];

/**
 * The time (ms) by the clock of the server that wrote last, which tells whether a clock is behind; 0
 * where none has written. Servers write at each question for their health and at the runs of jobs, so
 * it is up to an hour old where nobody asks.
 */
export async function serversTime({ store }: Pick<Deps, "store">): Promise<number> {
  const notes = await store.getMany<number | JobRun>([
    operatorKeys.healthProbe,
    ...OFTEN_NOTED.map(storeKeys.jobRun),
  ]);
  // By the order of commits: a clock that was ahead has left later times.
  const [last] = notes.filter(({ versionstamp }) => versionstamp !== null)
    .sort((a, b) => a.versionstamp! > b.versionstamp! ? -1 : 1);
  const note = last?.value ?? 0;
  return typeof note === "number" ? note : note.at;
}
