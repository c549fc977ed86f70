import { candidates } from "../catalog/poll_candidates.ts";
import { addDays, isFinalDay, isoTime, nextDayAt, utcDay } from "../clock.ts";
import { notFound, rejectProblems } from "../errors.ts";
import type { Caller } from "../http/caller.ts";
import { HOLDER_DAY_CAPS, LIMITS, RATE_LIMITS } from "../limits.ts";
import { paths } from "../urls.ts";
import { pollVoterOf, storeBallot } from "./ballots.ts";
import type { WindowVotes } from "./board.ts";
import { readTallies } from "./days.ts";
import type { Deps } from "./deps.ts";
import { pollKeys } from "./keys.ts";
import {
  type Ballot,
  type ExportRow,
  GROUP_LABELS,
  type PollGroup,
  pollGroup,
  type PollQuery,
  type PollView,
  type PollWindow,
  pollWindow,
  type PublicBallot,
  type Reason,
  type ReasonPointer,
  type Standing,
  type StoredBallot,
  type WindowStandings,
  type WriteIns,
} from "./schema.ts";
import {
  describeCandidate,
  groupTotal,
  rank,
  type Tally,
  windowStart,
  writeInName,
} from "./tally.ts";

/** The rules of the poll, as stated everywhere. */
export const POLL_RULES: readonly string[] = [
  "One vote per voter per UTC day. Days begin at 00:00 UTC. Voting again the same day replaces your vote.",
  "Each agent name gets one vote (X-Agent-Name header, or yourName over MCP), up to " +
  `${LIMITS.agentsPerNetworkDay} agent names per network per day.`,
  "Everyone else, including unnamed AI agents, gets one vote per user agent per network. Over MCP, unnamed agents " +
  "share one vote per network.",
  "A vote counts as an AI agent's if it comes from a known AI user agent, has an X-Agent-Name header or arrives over " +
  "MCP. Votes from browsers count as human votes. The rest count as votes from other automated clients.",
  `Write-ins aren't case-sensitive. The poll has room for ${LIMITS.writeInNames} write-in names. ` +
  "Writing in a listed AI counts as a vote for it. If the operator removes a name, its votes count as Other.",
  "Reasons that match a spam or profanity blocklist are kept private.",
  `Up to ${RATE_LIMITS.pollVotes} vote requests per network per hour. Up to ${HOLDER_DAY_CAPS.ballots} votes and ` +
  `${HOLDER_DAY_CAPS.writeIns} new write-in names per IPv4 address or IPv6 /48 per day.`,
  "Counts are real; nothing is seeded.",
];

/**
 * Casts the caller's ballot for today, replacing an earlier one from the same UTC day. Throws
 * `rate_limited`, `too_many_agent_identities`, `write_in_limit`.
 */
export async function castBallot(
  deps: Deps,
  options: { ballot: Ballot; caller: Caller; via?: StoredBallot["via"] },
): Promise<{ changed: boolean; ballot: PublicBallot; nextVoteAt: string }> {
  const { ballot, caller } = options;
  const now = deps.clock.now();
  const via = caller.isMcp ? "mcp" : options.via ?? "api";
  const { stored, changed, writeIns } = await storeBallot(deps, { ballot, caller, via, now });
  const day = utcDay(now);
  return { changed, ballot: toPublicBallot(stored, day, writeIns), nextVoteAt: nextDayAt(day) };
}

/** The poll as the caller sees it: standings, reasons, rules and their own ballot for today. */
export async function getPoll(
  deps: Deps,
  options: PollQuery & { caller: Caller },
): Promise<PollView> {
  const { limit, caller } = options;
  const now = deps.clock.now();
  const today = utcDay(now);
  const windows = options.window ? [options.window] : pollWindow.options;
  const groups = options.group ? [options.group] : pollGroup.options;
  const ownKey = pollKeys.ballot(today, pollVoterOf(deps, { caller, day: today }));
  const [{ value: own }, state] = await Promise.all([
    deps.store.get<StoredBallot>(ownKey),
    deps.pollBoard.read(now),
  ]);
  const { since, writeIns } = state;
  const standings = windows.map((window) => {
    const from = windowStart(window, today) ?? since;
    const shown = standingsOf(state.windows.get(window)!, { groups, writeIns, limit });
    return [window, { from, to: today, ...shown }] as const;
  });
  return {
    title: "Which AI is best?",
    today,
    since,
    sinceNote: since === null ? "Be the first to vote." : `Counting votes since ${since}.`,
    nextVoteAt: nextDayAt(today),
    groups: GROUP_LABELS,
    standings: Object.fromEntries(standings),
    recentReasons: state.reasons.slice(0, limit)
      .map(({ ballot, day }) => toReason(ballot, day, writeIns)),
    candidates: [...candidates],
    rules: [...POLL_RULES],
    howToVote: howToVote(deps),
    generatedAt: isoTime(now),
    myVote: own && toPublicBallot(own, today, writeIns),
  };
}

/** The leader of the poll over the last 30 days, or null if nobody has voted. */
export async function getPollLeader(
  deps: Deps,
): Promise<(Standing & { window: PollWindow }) | null> {
  const window = "30d";
  const { windows, writeIns } = await deps.pollBoard.read(deps.clock.now());
  const { tally } = windows.get(window)!;
  const [first] = rank(tally, { group: "all", writeIns, limit: 1 });
  return first ? { ...first, window } : null;
}

/** One UTC day's standings in every group, as rows. Throws `invalid_input` for a future day. */
export async function exportDay(deps: Deps, day: string): Promise<ExportRow[]> {
  if (day > utcDay(deps.clock.now())) {
    rejectProblems([{ field: "day", message: "This day hasn't begun yet" }]);
  }
  const days = await readTallies(deps.store, day, addDays(day, 1));
  return exported(day, days.get(day) ?? new Map(), await readWriteIns(deps));
}

/** The rows of every final day with votes, by day. */
export async function exportDays(deps: Deps): Promise<{ day: string; rows: ExportRow[] }[]> {
  const now = deps.clock.now();
  const writeIns = await readWriteIns(deps);
  const days = await readTallies(deps.store, "", utcDay(now));
  return [...days].filter(([day]) => isFinalDay(day, now))
    .map(([day, tally]) => ({ day, rows: exported(day, tally, writeIns) }));
}

function exported(day: string, tally: Tally, writeIns: readonly string[]): ExportRow[] {
  return pollGroup.options.flatMap((group) =>
    rank(tally, { group, writeIns, limit: Infinity }).map((row) => ({ day, group, ...row }))
  );
}

/**
 * Makes a reason private, no matter who sent it or sends it again. The votes still count.
 * Throws `not_found`.
 */
export async function hideReason(
  deps: Deps,
  options: { day: string; id: string },
): Promise<Reason> {
  const { day, id } = options;
  return await deps.store.transact(async (tx) => {
    const pointer = await tx.get<ReasonPointer>(pollKeys.reason(id));
    const none = notFound(`There is no public reason with the id ${id} on ${day}`);
    if (pointer.value?.day !== day) throw none;
    const key = pollKeys.ballot(day, pointer.value.voter);
    const ballot = (await tx.get<StoredBallot>(key)).value;
    if (ballot?.reasonId !== id) throw none;
    tx.set(key, { ...ballot, reasonPrivate: true } satisfies StoredBallot);
    tx.set(pollKeys.hiddenReason(ballot.reason!), deps.clock.now());
    tx.delete(pollKeys.reason(id));
    tx.change({ kind: "site", slug: "poll", event: "reason_hidden" });
    return toReason(ballot, day, await readWriteIns(deps));
  });
}

function standingsOf(
  { tally, topAgents }: WindowVotes,
  options: { groups: PollGroup[]; writeIns: readonly string[]; limit: number },
): Pick<WindowStandings, "totals" | "standings" | "topAgents"> {
  const { groups, writeIns, limit } = options;
  return {
    totals: Object.fromEntries(groups.map((group) => [group, groupTotal(tally, group)])),
    standings: Object.fromEntries(
      groups.map((group) => [group, rank(tally, { group, writeIns, limit })]),
    ),
    topAgents: topAgents.slice(0, limit),
  };
}

async function readWriteIns(deps: Deps): Promise<string[]> {
  return (await deps.store.get<WriteIns>(pollKeys.writeIns)).value?.names ?? [];
}

function toPublicBallot(
  ballot: StoredBallot,
  day: string,
  writeIns: readonly string[],
): PublicBallot {
  const { candidate, candidateId, writeIn, reason, reasonPrivate, voterClass, agentName, via } =
    ballot;
  const known = writeInName(candidateId, writeIns);
  const isNew = writeIn !== null && known === undefined;
  return {
    day,
    candidate,
    name: isNew ? writeIn : describeCandidate(candidateId, writeIns).name,
    writeIn: known === "" ? null : writeIn,
    reason,
    reasonPublic: reason !== null && !reasonPrivate,
    voterClass,
    agentName,
    signedBy: ballot.signedBy ?? null,
    via,
    votedAt: isoTime(ballot.votedAt),
  };
}

function toReason(ballot: StoredBallot, day: string, writeIns: readonly string[]): Reason {
  const { reasonPublic: _, ...shown } = toPublicBallot(ballot, day, writeIns);
  return { id: ballot.reasonId!, ...shown, reason: ballot.reason! };
}

function howToVote({ urls }: Deps): PollView["howToVote"] {
  const example = { candidate: "claude", reason: "Says so when it doesn't know" };
  return {
    api: {
      method: "POST",
      url: urls.to(paths.apiPollVote),
      headers: { "Content-Type": "application/json", "X-Agent-Name": "Your name" },
      body: example,
    },
    mcp: {
      url: urls.to(paths.mcp),
      tool: "vote_best_ai",
      arguments: { ...example, yourName: "Your name" },
    },
    page: urls.to(paths.poll),
  };
}
