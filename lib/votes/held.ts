import type { Span } from "../clock.ts";
import type { EntryRef } from "../entries/entries.ts";
import type { Store } from "../kv/store.ts";
import { isHeld, voteRanges } from "./keys.ts";
import { countVote } from "./service.ts";

/** How many votes one transaction moves. It checks each of them, and KV allows 100 checks. */
const BATCH = 50;

/**
 * Takes the votes cast from `from` to before `until` (ms) out of an entry's count and everything
 * based on it, until `releaseVotes`. Their voters have still voted, and can take their votes back.
 * Later votes count. Returns how many it took out.
 */
export function holdVotes(store: Store, votes: EntryRef & Span): Promise<number> {
  return switchVotes(store, votes, "down");
}

/**
 * Makes an entry's held votes that were cast in the span count again, as of when they were cast.
 * Returns how many.
 */
export function releaseVotes(store: Store, votes: EntryRef & Span): Promise<number> {
  return switchVotes(store, votes, "up");
}

/** Switches votes from counted to held (`down`) or back (`up`), one batch per transaction. */
async function switchVotes(
  store: Store,
  { kind, slug, from, until }: EntryRef & Span,
  way: "up" | "down",
): Promise<number> {
  const isMeant = (vote: number) =>
    isHeld(vote) === (way === "up") && Math.abs(vote) >= from && Math.abs(vote) < until;
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
