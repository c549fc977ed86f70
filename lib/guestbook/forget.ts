import { nameKey } from "../text/name_key.ts";
import { setCheckInHidden } from "./check_ins.ts";
import type { Deps } from "./deps.ts";
import { guestbookKeys } from "./keys.ts";
import type { StoredCheckIn } from "./schema.ts";

/**
 * Deletes all check-ins of a name, in any spelling that counts as the same, for good. Returns how
 * many there were.
 */
export async function forgetGuest(deps: Deps, agentName: string): Promise<number> {
  const { store } = deps;
  const name = nameKey(agentName);
  let forgotten = 0;
  const all = store.list<StoredCheckIn>({ prefix: guestbookKeys.allCheckIns });
  for await (const { key } of all) {
    const [, day, signer] = key as [string, string, string];
    if (signer !== name) continue;
    // Hidden first: that takes it out of every count and has its day decided again.
    await setCheckInHidden(deps, { day, agentName, hidden: true });
    await store.transact((tx) => tx.delete(key));
    forgotten++;
  }
  await store.transact(async (tx) => {
    const { key, value } = await tx.get(guestbookKeys.agent(name));
    if (value !== null) tx.delete(key);
  });
  return forgotten;
}
