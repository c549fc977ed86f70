import { counterValue } from "../kv/store.ts";
import { nameKey } from "../text/name_key.ts";
import type { Deps } from "./deps.ts";
import { pollKeys } from "./keys.ts";
import type { StoredBallot } from "./schema.ts";

/**
 * The ballots under an agent's name, in any spelling that counts as the same. Reads every ballot.
 */
export async function* ballotsOf(
  { store }: Deps,
  agentName: string,
): AsyncGenerator<Deno.KvEntry<StoredBallot>> {
  for await (const entry of store.list<StoredBallot>({ prefix: pollKeys.allBallots })) {
    if (isOf(entry.value, agentName)) yield entry;
  }
}

function isOf(ballot: StoredBallot | null, agentName: string): ballot is StoredBallot {
  return ballot !== null && ballot.agentName !== null &&
    nameKey(ballot.agentName) === nameKey(agentName);
}

/**
 * Permanently deletes an agent's name from the poll, in any spelling that counts as the same, and
 * its ballots' reasons. The votes still count. Returns how many ballots had the name.
 */
export async function forgetAgent(deps: Deps, agentName: string): Promise<number> {
  const { store } = deps;
  const name = nameKey(agentName);
  let forgotten = 0;
  for await (const { key } of ballotsOf(deps, agentName)) {
    await store.transact(async (tx) => {
      const ballot = (await tx.get<StoredBallot>(key)).value;
      if (!isOf(ballot, agentName)) return;
      const nobodys = {
        agentName: null,
        signedBy: undefined,
        reason: null,
        reasonId: null,
        reasonPrivate: false,
      };
      tx.set(key, { ...ballot, ...nobodys });
      const votes = await tx.get(pollKeys.agentVotes(key[1] as string, name));
      const left = counterValue(votes) - (ballot.held ? 0 : 1);
      if (left > 0) tx.set(votes.key, new Deno.KvU64(BigInt(left)));
      else tx.delete(votes.key);
      if (ballot.reasonId !== null) tx.delete(pollKeys.reason(ballot.reasonId));
      tx.change({ kind: "site", slug: "poll", event: "ballots_forgotten" });
    });
    forgotten++;
  }
  await store.transact(async (tx) => {
    const { key, value } = await tx.get(pollKeys.agent(name));
    if (value !== null) tx.delete(key);
  });
  return forgotten;
}
