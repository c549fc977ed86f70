import type { Span } from "../clock.ts";
import type { EntryRef } from "../entries/entries.ts";
import { SERVER_CHECKS_MAX } from "../kv/group_commit.ts";
import type { Store } from "../kv/store.ts";
import { isHeld, voteRanges } from "./keys.ts";
import { countVote } from "./service.ts";

/** How many votes one transaction moves. It checks each of them. */
const BATCH = SERVER_CHECKS_MAX - 1;

/**
 * Takes the votes cast from `from` to before `until` (ms) out of an entry's count and everything
 * based on it, or makes those that are held count again, as of when they were cast. Voters of held
 * votes have still voted, and can take their votes back. Later votes count. Returns how many votes
 * changed.
 */
export async function setVotesHeld(
  store: Store,
  { kind, slug, from, until, held }: EntryRef & Span & { held: boolean },
): Promise<number> {
  const way = held ? "down" : "up";
  const isMeant = (vote: number) =>
    isHeld(vote) !== held && Math.abs(vote) >= from && Math.abs(vote) < until;
  let switched = 0;
  const votes = voteRanges.votes(kind, slug);
  for await (const batch of store.listBatches<number>(votes, { batchSize: BATCH })) {
    const keys = batch.filter(({ value }) => isMeant(value)).map(({ key }) => key);
    switched += await store.transact(async (tx) => {
      let n = 0;
      for (const { key, value } of await tx.getMany<number>(keys)) {
        if (value === null || !isMeant(value)) continue;
        tx.set(key, -value);
        countVote(tx, { kind, slug, way, at: Math.abs(value) });
        n++;
      }
      return n;
    });
  }
  return switched;
}
