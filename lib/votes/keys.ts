/** What can be upvoted; each has keys of its own under this name. */
export type VoteSubject = "listing" | "skill";

/** The part between a slug and its lists of voters; it stands behind every voter (base64url). */
const DAYS = "~";

/**
 * Keys of votes on a subject (`listing` or `skill`).
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["<subject>_votes", slug, voter] | time of the vote (ms); stays, though it is written with an end | `setVote` |
 * | ["<subject>_votes", slug, "~", UTC day, network or IPv6 /48] | `DayVoters`, at most 25 a network and 100 a /48; expires after 25 hours | the same |
 * | ["<subject>_vote_counts", slug, "up" or "down"] | u64; votes = up - down | the same |
 *
 * Votes and lists of voters of an item stand side by side, so that SQLite writes one page for both as long as it
 * has few votes. Counts stand apart: the start reads them all, and not the votes.
 */
export const voteKeys = {
  vote: (subject: VoteSubject, slug: string, voter: string) => [`${subject}_votes`, slug, voter],
  count: (subject: VoteSubject, slug: string, way: "up" | "down") => [
    `${subject}_vote_counts`,
    slug,
    way,
  ],
  counts: (subject: VoteSubject) => [`${subject}_vote_counts`],
  voters: (subject: VoteSubject, slug: string, day: string, network: string) => [
    `${subject}_votes`,
    slug,
    DAYS,
    day,
    network,
  ],
} as const;

/** Where the votes on an item, and the lists of its voters, are found. */
export const voteRanges = {
  votes: (subject: VoteSubject, slug: string): Deno.KvListSelector => ({
    prefix: [`${subject}_votes`, slug],
    end: [`${subject}_votes`, slug, DAYS],
  }),
  voters: (subject: VoteSubject, slug: string): Deno.KvListSelector => ({
    prefix: [`${subject}_votes`, slug, DAYS],
  }),
} as const;
