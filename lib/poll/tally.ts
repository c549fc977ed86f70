import { candidates } from "../catalog/poll_candidates.ts";
import { addDays } from "../clock.ts";
import {
  type PollClass,
  pollClass,
  type PollGroup,
  type PollWindow,
  type Standing,
} from "./schema.ts";

/** Votes by candidate id and class. */
export type Tally = Map<string, Record<PollClass, number>>;

/** The counts of one or more days. */
export interface Votes {
  tally: Tally;
  /** Ballots by agent name key. */
  agents: Map<string, number>;
}

const WRITE_IN_ID = /^write-in-(\d+)$/;
const order = new Map(candidates.map(({ slug }, index) => [slug as string, index]));
const bySlug = new Map(candidates.map((candidate) => [candidate.slug as string, candidate]));

/** No votes. */
export function noVotes(): Votes {
  return { tally: new Map(), agents: new Map() };
}

/** Adds votes for a candidate by a class. */
export function addToTally(tally: Tally, id: string, voterClass: PollClass, votes: number): void {
  const row = tally.get(id) ?? { ai_agent: 0, human: 0, other: 0 };
  tally.set(id, row);
  row[voterClass] += votes;
}

/** Adds one tally to another. */
export function addTally(into: Tally, from: Tally): void {
  for (const [id, row] of from) {
    for (const name of pollClass.options) addToTally(into, id, name, row[name]);
  }
}

/** Adds the votes of one to another. */
export function addVotes(into: Votes, from: Votes): void {
  addTally(into.tally, from.tally);
  for (const [agent, votes] of from.agents) {
    into.agents.set(agent, (into.agents.get(agent) ?? 0) + votes);
  }
}

/** The first UTC day of a window that ends today; null for the window of all days. */
export function windowStart(window: PollWindow, today: string): string | null {
  if (window === "all") return null;
  return addDays(today, window === "today" ? 0 : window === "7d" ? -6 : -29);
}

/** All votes of a group. */
export function groupTotal(tally: Tally, group: PollGroup): number {
  let total = 0;
  for (const row of tally.values()) total += votesOf(row, group);
  return total;
}

/**
 * A group's standings: candidates with votes, most votes first, then in the order of the catalog,
 * then of the write-ins. `share` is the share of the group's votes, to four decimals.
 */
export function rank(
  tally: Tally,
  options: { group: PollGroup; writeIns: readonly string[]; limit: number },
): Standing[] {
  const { group, writeIns, limit } = options;
  const total = groupTotal(tally, group);
  const votes = new Map<string, number>();
  for (const [stored, row] of tally) {
    const id = shownId(stored, writeIns);
    votes.set(id, (votes.get(id) ?? 0) + votesOf(row, group));
  }
  return [...votes]
    .map(([id, votes]) => ({ id, votes }))
    .filter(({ votes }) => votes > 0)
    .sort((a, b) => b.votes - a.votes || position(a.id) - position(b.id))
    .slice(0, limit)
    .map(({ id, votes }) => ({
      id,
      ...describeCandidate(id, writeIns),
      votes,
      share: Math.round(votes / total * 10_000) / 10_000,
    }));
}

/** A rank in the standings, from 1. Equal votes share one. */
export function rankOf(votes: number, standings: readonly { votes: number }[]): number {
  return standings.findIndex((row) => row.votes === votes) + 1;
}

/** The candidate id of the write-in at `index` of the names. */
export function writeInId(index: number): string {
  return `write-in-${index + 1}`;
}

/** The candidate with an id. */
export function describeCandidate(
  id: string,
  writeIns: readonly string[],
): Omit<Standing, "id" | "votes" | "share"> {
  const writeIn = writeInName(id, writeIns);
  if (writeIn) {
    return { candidate: "other", name: writeIn, maker: null, openSource: false, writeIn: true };
  }
  const { slug, name, maker, openWeights } = bySlug.get(shownId(id, writeIns))!;
  return { candidate: slug, name, maker, openSource: openWeights, writeIn: false };
}

/** The id under which votes are shown. Votes for a removed write-in count as Other. */
function shownId(id: string, writeIns: readonly string[]): string {
  return bySlug.has(id) || writeInName(id, writeIns) ? id : "other";
}

/**
 * A write-in's name, empty if it was removed. Undefined for a catalog candidate, and for a name
 * written in after `writeIns` was read.
 */
export function writeInName(id: string, writeIns: readonly string[]): string | undefined {
  return writeIns[writeInPlace(id) ?? -1];
}

/** A write-in's place (from 0) among the names; null for a catalog candidate. */
export function writeInPlace(id: string): number | null {
  const [, number] = WRITE_IN_ID.exec(id) ?? [];
  return number === undefined ? null : Number(number) - 1;
}

function votesOf(row: Record<PollClass, number>, group: PollGroup): number {
  return group === "all" ? row.ai_agent + row.human + row.other : row[group];
}

function position(id: string): number {
  return order.get(id) ?? order.size + Number(WRITE_IN_ID.exec(id)?.[1] ?? 0);
}
