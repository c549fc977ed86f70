import { storeKeys } from "../kv/keys.ts";
import type { Deps } from "./deps.ts";
import type { JobRun } from "./jobs.ts";
import { operatorKeys } from "./keys.ts";

/** The jobs that servers record most often. */
const OFTEN_NOTED = ["settle-payments", "ai-of-the-day"];

/**
 * The time (ms) on the clock of the server that wrote last, or 0 if none has. It shows whether a
 * clock is behind. Servers write at each health check and job run, so it is up to an hour old if
 * nobody checks.
 */
export async function serversTime({ store }: Pick<Deps, "store">): Promise<number> {
  const notes = await store.getMany<number | JobRun>([
    operatorKeys.healthProbe,
    ...OFTEN_NOTED.map(storeKeys.jobRun),
  ]);
  // In commit order: a fast clock may have left later times.
  const [last] = notes.filter(({ versionstamp }) => versionstamp !== null)
    .sort((a, b) => a.versionstamp! > b.versionstamp! ? -1 : 1);
  const note = last?.value ?? 0;
  return typeof note === "number" ? note : note.at;
}
