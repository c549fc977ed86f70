import type { EntryKind } from "../entries/entries.ts";

/**
 * The key part before the lists of a day's voters. It sorts after every voter, whose characters are
 * base64url.
 */
const DAYS = "~";

/**
 * Keys of votes on one kind of entry (`listing` or `skill`).
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["<kind>_votes", slug, voter] | time of the vote (ms), negative while the operator holds it (`isHeld`); votes of schema version 5 expire in 1,000 years | `setVote`, `setVotesHeld` |
 * | ["<kind>_votes", slug, "~", UTC day, network or IPv6 /48] | `DayVoters`, at most 25 per network and 100 per /48; expires | `setVote` |
 * | ["<kind>_vote_days", slug, UTC day, visitor class, "up" or "down"] | u64 of votes cast and taken back that day; only for listings | `setVote` |
 * | ["<kind>_vote_counts", slug, "up" or "down"] | u64; votes = up - down, without those that are held | `setVote`, `setVotesHeld` |
 *
 * An entry's votes and voter lists are adjacent, so SQLite writes one page for both while there are
 * few votes. Counts are separate, because startup reads all counts and no votes.
 */
export const voteKeys = {
  vote: (kind: EntryKind, slug: string, voter: string) => [`${kind}_votes`, slug, voter],
  count: (kind: EntryKind, slug: string, way: "up" | "down") => [
    `${kind}_vote_counts`,
    slug,
    way,
  ],
  day: (
    kind: EntryKind,
    slug: string,
    { day, visitorClass, way }: { day: string; visitorClass: string; way: "up" | "down" },
  ) => [`${kind}_vote_days`, slug, day, visitorClass, way],
  days: (kind: EntryKind, slug: string) => [`${kind}_vote_days`, slug],
  counts: (kind: EntryKind) => [`${kind}_vote_counts`],
  voters: (kind: EntryKind, slug: string, day: string, holder: string) => [
    `${kind}_votes`,
    slug,
    DAYS,
    day,
    holder,
  ],
} as const;

/** True if the operator holds a stored vote, so it doesn't count. */
export const isHeld = (vote: number): boolean => vote < 0;

/** The key ranges of an entry's votes and of its voter lists. */
export const voteRanges = {
  votes: (kind: EntryKind, slug: string): Deno.KvListSelector => ({
    prefix: [`${kind}_votes`, slug],
    end: [`${kind}_votes`, slug, DAYS],
  }),
  voters: (kind: EntryKind, slug: string): Deno.KvListSelector => ({
    prefix: [`${kind}_votes`, slug, DAYS],
  }),
  /** Votes on all entries of a kind, and their voter lists. */
  all: (kind: EntryKind): Deno.KvListSelector => ({ prefix: [`${kind}_votes`] }),
} as const;
