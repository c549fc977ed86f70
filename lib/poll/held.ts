import { type Span, utcDay } from "../clock.ts";
import { SERVER_CHECKS_MAX } from "../kv/group_commit.ts";
import { counterValue, type Store, type Tx } from "../kv/store.ts";
import { nameKey } from "../text/name_key.ts";
import type { Deps } from "./deps.ts";
import { pollKeys } from "./keys.ts";
import type { ReasonPointer, StoredBallot, WriteIns } from "./schema.ts";
import { writeInPlace } from "./tally.ts";

/** How many ballots one transaction moves. It checks up to two keys for each, and the write-ins. */
const BATCH = Math.floor((SERVER_CHECKS_MAX - 2) / 2);

type Place = { day: string; voter: string };

/** How many ballots are on hold for each UTC day. Reads every ballot. */
export async function listHeldBallots(
  { store }: { store: Store },
): Promise<{ day: string; held: number }[]> {
  const held = new Map<string, number>();
  for await (const { key, value } of store.list<StoredBallot>({ prefix: pollKeys.allBallots })) {
    const day = key[1] as string;
    if (value.held) held.set(day, (held.get(day) ?? 0) + 1);
  }
  return [...held].map(([day, held]) => ({ day, held }));
}

/**
 * Takes ballots cast from `from` to before `until` (ms) out of every count, and their reasons out
 * of the list, or counts those that are held again. Later ballots count, even one that replaces a
 * held one. Returns how many changed.
 */
export async function setBallotsHeld(
  { store }: Deps,
  { from, until }: Span,
  held: boolean,
): Promise<number> {
  const isMeant = ({ held: isHeld, votedAt }: StoredBallot) =>
    (isHeld === true) !== held && votedAt >= from && votedAt < until;
  const start = pollKeys.ballots(utcDay(Math.max(0, from)));
  const ballots = { prefix: pollKeys.allBallots, start };
  let switched = 0;
  for await (const batch of store.listBatches<StoredBallot>(ballots)) {
    const keys = batch.filter(({ value }) => isMeant(value)).map(({ key }) => key);
    for (let i = 0; i < keys.length; i += BATCH) {
      switched += await store.transact(async (tx) => {
        const found = (await tx.getMany<StoredBallot>(keys.slice(i, i + BATCH)))
          .filter(({ value }) => value !== null && isMeant(value))
          .map(({ key, value }) => ({
            place: { day: key[1] as string, voter: key[2] as string },
            ballot: value!,
          }));
        for (const { place, ballot } of found) move(tx, place, ballot, held);
        await countAgents(tx, found, held);
        if (held) await keepPlaces(tx, found.map(({ ballot }) => ballot));
        if (found.length > 0) tx.change({ kind: "site", slug: "poll", event: "ballots_changed" });
        return found.length;
      });
    }
  }
  return switched;
}

/** Moves a ballot's vote and its reason. */
function move(tx: Tx, { day, voter }: Place, ballot: StoredBallot, held: boolean): void {
  const { held: _, ...counted } = ballot;
  const stored: StoredBallot = held ? { ...counted, held } : counted;
  const { voterClass, candidateId, reasonId, reasonPrivate } = stored;
  tx.set(pollKeys.ballot(day, voter), stored);
  tx.sum(pollKeys.tally(day, voterClass, candidateId, held ? "down" : "up"), 1n);
  if (reasonId === null || reasonPrivate) return;
  if (held) tx.delete(pollKeys.reason(reasonId));
  else tx.set(pollKeys.reason(reasonId), { day, voter } satisfies ReasonPointer);
}

/** Changes the ballot counts of the agents behind some ballots. */
async function countAgents(
  tx: Tx,
  ballots: readonly { place: Place; ballot: StoredBallot }[],
  held: boolean,
): Promise<void> {
  const keys = ballots.flatMap(({ place: { day }, ballot: { agentName } }) =>
    agentName === null ? [] : [pollKeys.agentVotes(day, nameKey(agentName))]
  );
  const byAgent = [...Map.groupBy(keys, (key) => key.join()).values()];
  const entries = await tx.getMany(byAgent.map(([key]) => key!));
  for (const [i, entry] of entries.entries()) {
    const { length } = byAgent[i]!;
    const votes = counterValue(entry) + (held ? -length : length);
    if (votes > 0) tx.set(entry.key, new Deno.KvU64(BigInt(votes)));
    else tx.delete(entry.key);
  }
}

/** Keeps the places of held ballots' write-in names, so no other name gets their votes. */
async function keepPlaces(tx: Tx, ballots: readonly StoredBallot[]): Promise<void> {
  const places = new Set(ballots.map(({ candidateId }) => writeInPlace(candidateId)));
  const { key, value } = await tx.get<WriteIns>(pollKeys.writeIns);
  const brought = value?.brought;
  if (!brought?.places.some((place) => places.has(place))) return;
  const left = brought.places.filter((place) => !places.has(place));
  tx.set(key, { ...value, brought: { ...brought, places: left } });
}
