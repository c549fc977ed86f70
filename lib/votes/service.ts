import { DAY_MS, utcDay } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Caller } from "../http/caller.ts";
import { dayCap, rateLimitKeys, rateLimitQueue, spendWindow } from "../http/rate_limit.ts";
import { counterValue, type Store } from "../kv/store.ts";
import { LIMITS } from "../limits.ts";
import { voteKeys, type VoteSubject } from "./keys.ts";

/** What a vote is about: the subject, its slug, and how to tell that it is live. */
export interface VoteTarget {
  subject: VoteSubject;
  slug: string;
  /** The key of the record that must be live. */
  recordKey: Deno.KvKey;
}

/** The caller's vote on an item, as every vote operation answers it. */
export interface VoteState {
  slug: string;
  voted: boolean;
  /** The count after this operation. */
  votes: number;
  /** Whether this operation changed the vote. */
  changed: boolean;
}

/** Whether the caller has voted. Throws `not_found` unless the item is live. */
export async function getVote(
  store: Store,
  options: VoteTarget & { caller: Caller },
): Promise<VoteState> {
  const { subject, slug, caller } = options;
  const [record, vote, up, down] = await store.getMany<unknown>([
    options.recordKey,
    voteKeys.vote(subject, slug, caller.voter),
    voteKeys.count(subject, slug, "up"),
    voteKeys.count(subject, slug, "down"),
  ]);
  requireLive(record!);
  return {
    slug,
    voted: vote!.value !== null,
    votes: counterValue(up!) - counterValue(down!),
    changed: false,
  };
}

/** Those of the items that a voter has voted for. */
export async function votedAmong(
  store: Store,
  options: { subject: VoteSubject; slugs: readonly string[]; voter: string },
): Promise<string[]> {
  const { subject, slugs, voter } = options;
  const votes = await store.getMany(slugs.map((slug) => voteKeys.vote(subject, slug, voter)));
  return slugs.filter((_, i) => votes[i]!.value !== null);
}

/** Whether a voter has voted for an item; null while storage does not say. */
export async function ownVote(
  store: Store,
  options: { subject: VoteSubject; slug: string; voter: string },
): Promise<boolean | null> {
  const { subject, slug, voter } = options;
  try {
    return (await store.get(voteKeys.vote(subject, slug, voter))).value !== null;
  } catch (error) {
    if (error instanceof DomainError && error.code === "storage_unavailable") return null;
    throw error;
  }
}

/**
 * Casts (`voted` true) or removes the caller's vote; doing so again changes nothing. Each call on a live item
 * counts as a vote action. One transaction holds limit, vote, count and log.
 * Throws `not_found`, `rate_limited` (the hourly limit, or 25 voters of one network, 100 of an IPv6 /48, on
 * one item and UTC day).
 */
export function setVote(
  store: Store,
  options: VoteTarget & { caller: Caller; voted: boolean },
): Promise<VoteState> {
  const { subject, slug, caller, voted } = options;
  const { network, widerNetwork, voter } = caller;
  const bucket = subject === "listing" ? "votes" : "skillVotes";
  return store.transact(async (tx) => {
    const now = store.clock.now();
    const voteKey = voteKeys.vote(subject, slug, voter);
    const votersKey = (of: string) => voteKeys.voters(subject, slug, utcDay(now), of);
    // Whoever votes has no window and no day's list as a rule, and the listing was seen before: the commit's
    // checks tell when it is not so. Vote and counts are one snapshot, so that the count can be told.
    const [record] = await tx.recall([options.recordKey]);
    const [window, voters, widerVoters] = await tx.recall([
      rateLimitKeys.window(bucket, network),
      votersKey(network),
      ...(widerNetwork === null ? [] : [votersKey(widerNetwork)]),
    ], { orAbsent: true });
    const [vote, up, down] = await tx.store.getMany<unknown>([
      voteKey,
      voteKeys.count(subject, slug, "up"),
      voteKeys.count(subject, slug, "down"),
    ]);
    tx.check(vote!);
    requireLive(record!);
    spendWindow(tx, window!.value as number[] | null, { bucket, network, now });

    const votes = counterValue(up!) - counterValue(down!);
    const changed = (vote!.value !== null) !== voted;
    if (!changed) return { slug, voted, votes, changed };

    if (voted) {
      const known = (voters!.value ?? []) as string[];
      if (!known.includes(voter)) {
        if (known.length >= LIMITS.votersPerNetworkDay) throw tooManyVoters(now);
        tx.set(votersKey(network), [...known, voter], { expireIn: DAY_MS });
      }
      // Who holds a /48 of IPv6 has 65,536 networks: they share a cap of their own.
      const near = (widerVoters?.value ?? []) as string[];
      if (widerNetwork !== null && !near.includes(voter)) {
        const limit = LIMITS.votersPerWiderNetworkDay;
        if (near.length >= limit) throw tooManyVoters(now, limit);
        tx.set(votersKey(widerNetwork), [...near, voter], { expireIn: DAY_MS });
      }
      tx.set(voteKey, now);
    } else {
      tx.delete(voteKey);
    }
    const delta = voted ? 1 : -1;
    tx.sum(voteKeys.count(subject, slug, voted ? "up" : "down"), 1n);
    tx.pulse({ kind: subject === "listing" ? "vote" : "skill_vote", slug, delta });
    return { slug, voted, votes: votes + delta, changed };
  }, { queue: rateLimitQueue(bucket, widerNetwork ?? network) });
}

function requireLive(record: Deno.KvEntryMaybe<unknown>): void {
  const state = (record.value as { state: string } | null)?.state;
  if (state !== "live") throw new DomainError("not_found");
}

function tooManyVoters(now: number, limit: number = LIMITS.votersPerNetworkDay): DomainError {
  const { details, headers } = dayCap("voters", limit, now);
  const message = `At most ${limit} voters of one network count on one item a day`;
  return new DomainError("rate_limited", details, { headers, message });
}
