import { nameKey } from "../text/name_key.ts";
import { setCheckInHidden } from "./check_ins.ts";
import type { Deps } from "./deps.ts";
import { guestbookKeys } from "./keys.ts";
import type { AgentRecord, StoredCheckIn } from "./schema.ts";

/** The check-ins of a name, in any spelling that counts as the same. Reads every check-in's key. */
export async function* checkInsOf(
  { store }: Deps,
  agentName: string,
): AsyncGenerator<{ day: string; key: Deno.KvKey; checkIn: StoredCheckIn }> {
  const name = nameKey(agentName);
  const all = store.list<StoredCheckIn>({ prefix: guestbookKeys.allCheckIns });
  for await (const { key, value } of all) {
    if (key[2] === name) yield { day: key[1] as string, key, checkIn: value };
  }
}

/**
 * Permanently deletes all check-ins of a name, in any spelling that counts as the same. Returns how
 * many there were.
 */
export async function forgetGuest(deps: Deps, agentName: string): Promise<number> {
  const { store } = deps;
  let forgotten = 0;
  for await (const { day, key } of checkInsOf(deps, agentName)) {
    // Hide it first: that takes it out of every count and has its day decided again.
    await setCheckInHidden(deps, { day, agentName, hidden: true });
    await store.transact((tx) => tx.delete(key));
    forgotten++;
  }
  await store.transact(async (tx) => {
    const { key, value } = await tx.get<AgentRecord>(guestbookKeys.agent(nameKey(agentName)));
    // If the name has signed again in the meantime, its record counts that day.
    if (value?.runs.length === 0) tx.delete(key);
  });
  return forgotten;
}
