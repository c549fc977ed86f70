import { utcDay } from "../clock.ts";
import { type EntryKind, type EntryRef, requireLive } from "../entries/entries.ts";
import { entryKey } from "../entries/keys.ts";
import { DomainError } from "../errors.ts";
import type { Caller } from "../http/caller.ts";
import { dayCap, holderCapReached } from "../http/day_caps.ts";
import { rateLimitKeys, rateLimitQueue, spendWindow } from "../http/rate_limit.ts";
import { attempt, DISPENSABLE_MS } from "../kv/attempt.ts";
import { pairValue, type Store, type Tx } from "../kv/store.ts";
import { HOLDER_DAY_CAPS, LIMITS } from "../limits.ts";
import type { Deps } from "./deps.ts";
import { isHeld, voteKeys } from "./keys.ts";
import type { VoteState } from "./schema.ts";

/** Who voted on an entry on one day: the network, the voter and, for IPv4, the /24. */
export type DayVoters = (readonly [network: string, voter: string, subnet?: string])[];

/** The caller's vote and the entry's count. Throws `not_found` unless the entry is live. */
export async function getVote(
  { store }: Pick<Deps, "store">,
  { kind, slug, caller }: EntryRef & { caller: Caller },
): Promise<VoteState> {
  const [record, vote, up, down] = await store.getMany<unknown>([
    entryKey(kind, slug),
    voteKeys.vote(kind, slug, caller.voter),
    voteKeys.count(kind, slug, "up"),
    voteKeys.count(kind, slug, "down"),
  ]);
  requireLive(record!, kind);
  return {
    slug,
    voted: vote!.value !== null,
    votes: pairValue(up!, down!),
    changed: false,
  };
}

/** The slugs of the entries that a voter has voted for. */
export async function votedAmong(
  store: Store,
  options: { kind: EntryKind; slugs: readonly string[]; voter: string },
): Promise<Set<string>> {
  const { kind, slugs, voter } = options;
  const votes = await store.getMany(slugs.map((slug) => voteKeys.vote(kind, slug, voter)));
  return new Set(slugs.filter((_, i) => votes[i]!.value !== null));
}

/** True if a voter has voted for an entry; null if storage can't tell within a second. */
export function ownVote(
  store: Store,
  options: EntryRef & { voter: string },
): Promise<boolean | null> {
  const { kind, slug, voter } = options;
  const read = async () => (await store.get(voteKeys.vote(kind, slug, voter))).value !== null;
  return attempt(read, DISPENSABLE_MS).catch(() => null);
}

/**
 * Casts (`voted` true) or removes the caller's vote. Idempotent. Each call on a live entry counts
 * as a vote action. One transaction covers limit, vote, count and log. Throws `not_found` and
 * `rate_limited` (the hourly limit; or, per entry and UTC day, 25 voters per network or 100 per
 * IPv6 /48).
 */
export async function setVote(
  deps: Deps,
  { kind, slug, caller, voted }: EntryRef & { caller: Caller; voted: boolean },
): Promise<VoteState> {
  const { store } = deps;
  const { network, holder, voter } = caller;
  const bucket = kind === "listing" ? "votes" : "skillVotes";
  const outcome = await store.transact(async (tx) => {
    const now = store.clock.now();
    const voteKey = voteKeys.vote(kind, slug, voter);
    // An IPv6 /48 shares one list, because its holder has 65,536 networks.
    const votersKey = voteKeys.voters(kind, slug, utcDay(now), holder);
    const [record, window, vote, voters] = await tx.getMany<unknown>([
      entryKey(kind, slug),
      rateLimitKeys.window(bucket, network),
      voteKey,
      ...(voted ? [votersKey] : []),
    ]);
    requireLive(record!, kind);
    spendWindow(tx, window!, { bucket, now });
    if ((vote!.value !== null) === voted) return false;

    if (voted) {
      const before = (voters!.value ?? []) as DayVoters;
      if (!before.some((known) => known[1] === voter)) {
        // Returned instead of thrown, because a refused vote is a vote action too.
        const full = fullDay(before, caller, now);
        if (full !== null) return full;
        const { subnet } = caller;
        const added = subnet === null ? [network, voter] : [network, voter, subnet];
        tx.setExpiring(votersKey, [...before, added]);
      }
      tx.set(voteKey, now);
    } else tx.delete(voteKey);
    const way = voted ? "up" : "down";
    if (voted || !isHeld(vote!.value as number)) countVote(tx, { kind, slug, way });
    if (kind === "listing") {
      const { visitorClass } = caller;
      tx.sum(voteKeys.day(kind, slug, { day: utcDay(now), visitorClass, way }), 1n);
    }
    return true;
  }, { queue: rateLimitQueue(bucket, holder) });
  if (outcome instanceof DomainError) throw outcome;
  return { slug, voted, votes: await countAfter(deps, { kind, slug }), changed: outcome };
}

/** Counts a vote cast at `at` (ms; default: now) up or down, and logs it. */
export function countVote(
  tx: Tx,
  options: EntryRef & { way: "up" | "down"; at?: number },
): void {
  const { kind, slug, way, at } = options;
  tx.sum(voteKeys.count(kind, slug, way), 1n);
  const pulse = kind === "listing" ? "vote" : "skill_vote";
  tx.pulse({ kind: pulse, slug, delta: way === "up" ? 1 : -1 }, at);
}

/**
 * The count after a committed vote. If it can't be read, the vote still counts, so the response
 * uses the count that this process shows.
 */
async function countAfter(deps: Deps, { kind, slug }: EntryRef): Promise<number> {
  try {
    const [up, down] = await deps.store.getMany<unknown>([
      voteKeys.count(kind, slug, "up"),
      voteKeys.count(kind, slug, "down"),
    ]);
    return pairValue(up!, down!);
  } catch (error) {
    if (error instanceof DomainError) {
      return deps[kind === "listing" ? "catalogue" : "skills"].countsOf(slug).votes;
    }
    throw error;
  }
}

/**
 * The `rate_limited` error for one voter too many from this network or the IPv6 /48 around it; null
 * if there is room.
 */
function fullDay(voters: DayVoters, caller: Caller, now: number): DomainError | null {
  const full = fullFor(voters, caller);
  if (full === null) return null;
  if (full === "holder") return holderCapReached("voters", caller, now);
  const limit = LIMITS.votersPerNetworkDay;
  const { details, headers } = dayCap("voters", limit, now);
  const message = `Up to ${limit} voters per network can vote for the same entry in a day`;
  return new DomainError("rate_limited", details, { headers, message });
}

/** Who has reached their daily limit of voters: the caller's network, its holder, or neither. */
export function fullFor(
  voters: DayVoters,
  { network }: Caller,
): "network" | "holder" | null {
  const ofNetwork = voters.filter((known) => known[0] === network).length;
  if (ofNetwork >= LIMITS.votersPerNetworkDay) return "network";
  return voters.length >= HOLDER_DAY_CAPS.voters ? "holder" : null;
}
