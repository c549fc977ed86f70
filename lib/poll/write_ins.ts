import { addDays } from "../clock.ts";
import { DomainError, notFound } from "../errors.ts";
import { pairValue, type Tx } from "../kv/store.ts";
import { LIMITS } from "../limits.ts";
import { foldName } from "../text/name_key.ts";
import { readTallies } from "./days.ts";
import type { Deps } from "./deps.ts";
import { pollKeys } from "./keys.ts";
import { type Ballot, pollClass, type StoredBallot, type WriteIns } from "./schema.ts";
import { addTally, rank, type Tally, writeInId, writeInPlace } from "./tally.ts";

/** The queue that runs this process's transactions that may add or remove a name, one by one. */
export const WRITE_IN_QUEUE = "poll_write_ins";

/**
 * The candidate id for a UTC day's ballot that replaces `earlier`, and all write-in names. A known
 * name is reused, whatever its letter case; otherwise the new one is stored. A name that loses its
 * last vote makes room first; `brings` is true if there is one more name. Throws `write_in_limit`.
 */
export async function placeBallot(
  tx: Tx,
  { entry, ballot: { candidate, writeIn }, earlier, day }: {
    entry: Deno.KvEntryMaybe<WriteIns>;
    ballot: Ballot;
    earlier: StoredBallot | null;
    day: string;
  },
): Promise<{ candidateId: string; names: readonly string[]; brings: boolean }> {
  let writeIns = entry.value ?? { names: [] };
  const folded = writeIn === null ? null : foldName(writeIn);
  const known = writeIns.names.findIndex((name) => foldName(name) === folded);
  const knownId = writeIn === null ? candidate : known < 0 ? null : writeInId(known);
  // A name that is being voted for must not be freed.
  if (writeIn !== null) tx.check(entry);
  const left = earlier === null || earlier.candidateId === knownId
    ? null
    : await loneVote(tx, { writeIns, ballot: earlier, day });
  if (left !== null) writeIns = without(writeIns, left);
  if (knownId === null) writeIns = withName(writeIns, writeIn!, day);
  if (left !== null || knownId === null) {
    tx.check(entry);
    tx.set(pollKeys.writeIns, writeIns);
  }
  const { names } = writeIns;
  const candidateId = knownId ?? writeInId(names.indexOf(writeIn!));
  return { candidateId, names, brings: knownId === null && left === null };
}

/**
 * The place of the write-in name on a UTC day's ballot, if this is the only vote it ever got;
 * otherwise null. The name was added that day, so no earlier ballot has it, and a ballot of an
 * earlier day can't be replaced.
 */
async function loneVote(
  tx: Tx,
  { writeIns: { brought }, ballot, day }: { writeIns: WriteIns; ballot: StoredBallot; day: string },
): Promise<number | null> {
  const place = writeInPlace(ballot.candidateId);
  if (place === null || brought?.day !== day || !brought.places.includes(place)) return null;
  // This ballot may land after midnight, when others already vote on the next day.
  const tallies = [day, addDays(day, 1)].flatMap((on) =>
    pollClass.options.flatMap((voterClass) =>
      (["up", "down"] as const).map((way) =>
        pollKeys.tally(on, voterClass, ballot.candidateId, way)
      )
    )
  );
  const entries = await tx.store.getMany(tallies);
  let votes = 0;
  for (let i = 0; i < entries.length; i += 2) votes += pairValue(entries[i]!, entries[i + 1]!);
  const isLone = votes === 1;
  // One more vote, and the name must stay. One fewer that day, and it must be freed.
  const decisive = isLone ? entries : entries.slice(0, 2 * pollClass.options.length);
  for (let i = isLone ? 0 : 1; i < decisive.length; i += 2) tx.check(decisive[i]!);
  return isLone ? place : null;
}

/** The names without the one at a place, which another name can take. */
function without({ names, free = [], ...rest }: WriteIns, place: number): WriteIns {
  return { ...rest, names: names.with(place, ""), free: [...free, place] };
}

/** The names with one added on a UTC day. Throws `write_in_limit`. */
function withName({ names, free = [], brought }: WriteIns, name: string, day: string): WriteIns {
  if (names.filter(Boolean).length >= LIMITS.writeInNames) {
    throw new DomainError("write_in_limit", { limit: LIMITS.writeInNames });
  }
  const place = free.at(-1) ?? names.length;
  const places = brought?.day === day ? brought.places.filter((other) => other !== place) : [];
  return {
    names: place === names.length ? [...names, name] : names.with(place, name),
    free: free.slice(0, -1),
    brought: { day, places: [...places, place] },
  };
}

/** Write-in names in order of arrival, with their all-time votes. */
export async function listWriteIns({ store }: Deps): Promise<{ name: string; votes: number }[]> {
  const { value } = await store.get<WriteIns>(pollKeys.writeIns);
  const writeIns = value?.names ?? [];
  const all: Tally = new Map();
  for (const tally of (await readTallies(store, "")).values()) addTally(all, tally);
  const rows = rank(all, { group: "all", writeIns, limit: Infinity });
  const votes = new Map(rows.map((row) => [row.id, row.votes]));
  return writeIns
    .map((name, i) => ({ name, votes: votes.get(writeInId(i)) ?? 0 }))
    .filter(({ name }) => name !== "");
}

/**
 * Removes a write-in name, in any spelling that counts as the same. Its ballots count as Other, and
 * another name, even the same one, may take its place among the 200. Returns the name as stored.
 * Throws `not_found`.
 */
export function removeWriteIn({ store }: Deps, spelling: string): Promise<string> {
  const folded = foldName(spelling);
  return store.transact(async (tx) => {
    const { value } = await tx.get<WriteIns>(pollKeys.writeIns);
    const names = value?.names ?? [];
    const name = names.find((name) => name !== "" && foldName(name) === folded);
    if (name === undefined) throw notFound(`The poll has no write-in named ${spelling}`);
    const place = names.indexOf(name);
    // Its votes keep the place, so it is not free.
    const places = value!.brought?.places.filter((other) => other !== place) ?? [];
    tx.set(pollKeys.writeIns, {
      ...value,
      names: names.with(place, ""),
      ...(value!.brought && { brought: { ...value!.brought, places } }),
    });
    tx.change({ kind: "site", slug: "poll", event: "write_in_removed" });
    return name;
  }, { queue: WRITE_IN_QUEUE });
}
