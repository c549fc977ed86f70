/** What can be upvoted; each has keys of its own under this name. */
export type VoteSubject = "listing" | "skill";

/**
 * Keys of votes on a subject (`listing` or `skill`).
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["<subject>_votes", slug, voter] | time of the vote (ms) | `castVote`, `removeVote` |
 * | ["<subject>_vote_counts", slug, "up" or "down"] | u64; votes = up - down | the same |
 * | ["<subject>_voters", slug, UTC day, network or IPv6 /48] | `DayVoters`, at most 25 a network and 100 a /48; expires after a day | the same |
 */
export const voteKeys = {
  vote: (subject: VoteSubject, slug: string, voter: string) => [`${subject}_votes`, slug, voter],
  votes: (subject: VoteSubject, slug?: string) =>
    slug === undefined ? [`${subject}_votes`] : [`${subject}_votes`, slug],
  count: (subject: VoteSubject, slug: string, way: "up" | "down") => [
    `${subject}_vote_counts`,
    slug,
    way,
  ],
  counts: (subject: VoteSubject) => [`${subject}_vote_counts`],
  dayVoters: (subject: VoteSubject, slug: string) => [`${subject}_voters`, slug],
  voters: (subject: VoteSubject, slug: string, day: string, network: string) => [
    `${subject}_voters`,
    slug,
    day,
    network,
  ],
} as const;
