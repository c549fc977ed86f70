import { nameKey } from "../text/name_key.ts";
import type { Deps } from "./deps.ts";
import { pollKeys } from "./keys.ts";
import type { StoredBallot } from "./schema.ts";

/**
 * Deletes an agent's name, in any spelling that counts as the same, and the reasons of its ballots
 * from the poll, for good. The votes count on. Returns how many ballots named it.
 */
export async function forgetAgent({ store, pollBoard }: Deps, agentName: string): Promise<number> {
  const name = nameKey(agentName);
  let forgotten = 0;
  const isOf = (ballot: StoredBallot | null): ballot is StoredBallot =>
    ballot !== null && ballot.agentName !== null && nameKey(ballot.agentName) === name;
  for await (const { key, value } of store.list<StoredBallot>({ prefix: pollKeys.allBallots })) {
    if (!isOf(value)) continue;
    await store.transact(async (tx) => {
      const ballot = (await tx.get<StoredBallot>(key)).value;
      if (!isOf(ballot)) return;
      const nobodys = {
        agentName: null,
        signedBy: undefined,
        reason: null,
        reasonId: null,
        reasonPrivate: false,
      };
      tx.set(key, { ...ballot, ...nobodys });
      tx.delete(pollKeys.agentVotes(key[1] as string, name));
      if (ballot.reasonId !== null) tx.delete(pollKeys.reason(ballot.reasonId));
      tx.change({ kind: "site", slug: "poll", event: "ballots_forgotten" });
    });
    forgotten++;
  }
  await store.transact(async (tx) => {
    const { key, value } = await tx.get(pollKeys.agent(name));
    if (value !== null) tx.delete(key);
  });
  pollBoard.changed();
  return forgotten;
}
