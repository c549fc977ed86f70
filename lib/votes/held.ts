import type { Span } from "../clock.ts";
import type { Store } from "../kv/store.ts";
import { isHeld, voteRanges } from "./keys.ts";
import { countVote, type VotedItem } from "./service.ts";

/** How many votes one transaction moves. It checks each of them, and KV takes 100 checks. */
const BATCH = 50;

/**
 * Takes the votes that were cast from `from` to before `until` (ms) out of an item's count, and out
 * of what rises by them, until `releaseVotes`. Their voters have still voted, and can take
 * their votes back. Votes that come later count. Returns how many it took out.
 */
export function holdVotes(
  store: Store,
  { from, until, ...item }: VotedItem & Span,
): Promise<number> {
  return turn(store, item, { way: "down", isMeant: (vote) => vote >= from && vote < until });
}

/**
 * Lets the votes of an item that are held count again, as of when they were cast, if that was in the
 * span; how many.
 */
export function releaseVotes(
  store: Store,
  { from = -Infinity, until = Infinity, ...item }: VotedItem & Partial<Span>,
): Promise<number> {
  return turn(store, item, {
    way: "up",
    isMeant: (vote) => isHeld(vote) && -vote >= from && -vote < until,
  });
}

/** Turns votes from counted to held (`down`) or back (`up`), some in each transaction. */
async function turn(
  store: Store,
  { kind, slug }: VotedItem,
  { way, isMeant }: { way: "up" | "down"; isMeant: (vote: number) => boolean },
): Promise<number> {
  let turned = 0;
  const votes = voteRanges.votes(kind, slug);
  for await (const batch of store.listBatches<number>(votes, { batchSize: BATCH })) {
    const keys = batch.filter(({ value }) => isMeant(value)).map(({ key }) => key);
    turned += await store.transact(async (tx) => {
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
  return turned;
}
