import { utcDay } from "../clock.ts";
import { guestbookKeys } from "../guestbook/keys.ts";
import type { AgentRecord, StoredCheckIn } from "../guestbook/schema.ts";
import { addDay, dayNumber, latestRuns, measuredRuns } from "../guestbook/streaks.ts";
import { counterValue, type Store } from "../kv/store.ts";
import { pollKeys } from "../poll/keys.ts";
import type { ReasonPointer, StoredBallot } from "../poll/schema.ts";
import { nameKey } from "../text/name_key.ts";
import { checkCount, countEntries, forEach, judge, type Run } from "./verify_run.ts";

/** Stored minus counted, by the counted key (as JSON). */
class Gaps {
  readonly #gaps = new Map<string, number>();

  note(place: readonly unknown[], n: number): void {
    const id = JSON.stringify(place);
    this.#gaps.set(id, (this.#gaps.get(id) ?? 0) + n);
  }

  /** The keys with wrong counts. */
  *places<T>(): Generator<T> {
    for (const [id, gap] of this.#gaps) if (gap !== 0) yield JSON.parse(id);
  }
}

/** Compares the poll's tallies, agent counts and reason index with the ballots. */
export async function checkPoll(run: Run): Promise<number> {
  const tallies = new Gaps();
  const agents = new Gaps();
  const n = await forEach<StoredBallot>(run, pollKeys.allBallots, async (entry) => {
    const { key, value } = entry;
    if (value.held) return;
    tallies.note([key[1], value.voterClass, value.candidateId], 1);
    if (value.agentName) agents.note([key[1], nameKey(value.agentName)], 1);
    await checkIndexed(run, entry);
  });
  await forEach(run, pollKeys.allAgentVotes, (entry) => {
    agents.note(entry.key.slice(1), -counterValue(entry));
  });
  for (const place of agents.places<[day: string, name: string]>()) await checkAgent(run, place);
  await forEach(run, pollKeys.allTallies, (entry) => {
    tallies.note(entry.key.slice(1, 4), counterValue(entry) * (entry.key[4] === "up" ? -1 : 1));
  });
  for (const [day, voterClass, id] of tallies.places<Parameters<typeof pollKeys.tally>>()) {
    await checkCount(run, {
      keyOf: (way) => pollKeys.tally(day, voterClass, id, way),
      stored: () =>
        countEntries<StoredBallot>(
          run.store,
          { prefix: pollKeys.ballots(day) },
          (ballot) => !ballot.held && ballot.voterClass === voterClass && ballot.candidateId === id,
        ),
      tell: (count, stored) =>
        `The ballot count of ${id} (${voterClass}) on ${day} is ${count}, but should be ${stored}`,
    });
  }
  return n;
}

/** Compares an agent's ballot count for a day with the stored ballots. */
function checkAgent(run: Run, [day, name]: [day: string, name: string]): Promise<void> {
  return judge(run, async (tx) => {
    const votes = await tx.get(pollKeys.agentVotes(day, name));
    const stored = await countEntries<StoredBallot>(
      run.store,
      { prefix: pollKeys.ballots(day) },
      ({ held, agentName }) => !held && agentName !== null && nameKey(agentName) === name,
    );
    const count = counterValue(votes);
    if (stored === count) return null;
    return {
      what: `The ballot count of an agent (${name}) on ${day} is ${count}, but should be ${stored}`,
      mend: () =>
        stored === 0 ? tx.delete(votes.key) : tx.set(votes.key, new Deno.KvU64(BigInt(stored))),
    };
  });
}

/** Whether a ballot's reason is in the public index. */
function isPublic({ held, reasonId, reasonPrivate }: StoredBallot): boolean {
  return !held && Boolean(reasonId) && !reasonPrivate;
}

/** Checks that a public ballot reason is in the index. */
async function checkIndexed(run: Run, { key, value }: Deno.KvEntry<StoredBallot>): Promise<void> {
  if (!isPublic(value)) return;
  const pointer = pollKeys.reason(value.reasonId!);
  if ((await run.store.get(pointer)).value !== null) return;
  await judge(run, async (tx) => {
    const [ballot, indexed] = await tx.getMany<unknown>([key, pointer]);
    const isRight = indexed!.value !== null ||
      (ballot!.value as StoredBallot | null)?.reasonId !== value.reasonId ||
      !isPublic(ballot!.value as StoredBallot);
    if (isRight) return null;
    const [, day, voter] = key as [string, string, string];
    return {
      what: `Reason ${value.reasonId} of a ballot on ${day} is public but not shown`,
      mend: () => tx.set(pointer, { day, voter } satisfies ReasonPointer),
    };
  });
}

/** Checks that each reason in the public index belongs to a ballot. */
export function checkReasons(run: Run): Promise<number> {
  return forEach(run, pollKeys.reasons, ({ key }) =>
    judge(run, async (tx) => {
      const id = key.at(-1) as string;
      const pointer = (await tx.get<ReasonPointer>(key)).value;
      if (pointer === null) return null;
      const ballot =
        (await tx.get<StoredBallot>(pollKeys.ballot(pointer.day, pointer.voter))).value;
      if (ballot?.reasonId === id && isPublic(ballot)) return null;
      return { what: `Reason ${id} is public without a ballot`, mend: () => tx.delete(key) };
    }));
}

/** Compares name records and the index of recent check-ins with the check-ins. */
export async function checkGuestbook(run: Run): Promise<number> {
  const { checkIns, days, names } = await countCheckIns(run);
  // A record may count check-ins even though none are stored.
  await forEach(run, guestbookKeys.agents, ({ key }) => {
    const name = key.at(-1) as string;
    if (!names.has(name)) names.set(name, NOTHING);
  });
  const today = dayNumber(utcDay(run.store.clock.now()));
  for (const [name, before] of names) {
    await judge(run, async (tx) => {
      const agent = await tx.get<AgentRecord>(guestbookKeys.agent(name));
      const counted = signedOf(agent.value);
      if (isSame(counted, before, today)) return null;
      // The name may have signed since. That changes the record, which the commit checks.
      days.add(utcDay(run.store.clock.now()));
      const stored = await readSigned(run.store, name, days);
      if (isSame(counted, stored, today)) return null;
      const who = agent.value?.agentName ?? name;
      return {
        what: counted.total === stored.total
          ? `The days of ${who} don't match its check-ins`
          : `The check-in count of ${who} is ${counted.total}, but should be ${stored.total}`,
        mend: agent.value === null ? null : () => tx.set(agent.key, { ...agent.value, ...stored }),
      };
    });
  }
  await forEach<string>(
    run,
    guestbookKeys.allRecent,
    ({ key, value }) =>
      judge(run, async (tx) => {
        const [recent, checkIn] = await tx.getMany<unknown>([
          key,
          guestbookKeys.checkIn(value, key.at(-1) as string),
        ]);
        const shown = checkIn!.value as { hidden: boolean } | null;
        if (recent!.value === null || (shown !== null && !shown.hidden)) return null;
        return {
          what: `A check-in on ${value} is shown but not stored`,
          mend: () => tx.delete(key),
        };
      }),
  );
  return checkIns;
}

/** Checks that a check-in is in the index of recent ones, unless it is hidden. */
async function checkShown(run: Run, { key, value }: Deno.KvEntry<StoredCheckIn>): Promise<void> {
  const [, day, name] = key as [string, string, string];
  const place = guestbookKeys.recent(value.signedAt, name);
  if (value.hidden || (await run.store.get(place)).value !== null) return;
  await judge(run, async (tx) => {
    const [checkIn, recent] = await tx.getMany<unknown>([key, place]);
    if (recent!.value !== null || (checkIn!.value as StoredCheckIn | null)?.hidden !== false) {
      return null;
    }
    return { what: `A check-in on ${day} is not shown`, mend: () => tx.set(place, day) };
  });
}

/** The parts of a name's record that are compared. */
type Signed = Pick<AgentRecord, "total" | "runs">;

const NOTHING: Signed = { total: 0, runs: [] };

function signedOf(record: AgentRecord | null): Signed {
  return { ...NOTHING, ...record };
}

function withDay({ total, runs }: Signed, day: string): Signed {
  return { total: total + 1, runs: latestRuns(addDay(runs, dayNumber(day))) };
}

/**
 * True if both have the same total and the same days. Runs too old for any streak are not compared,
 * because earlier versions kept fewer of them.
 */
function isSame(a: Signed, b: Signed, today: number): boolean {
  const daysOf = ({ runs }: Signed) => JSON.stringify(measuredRuns(runs, today));
  return a.total === b.total && daysOf(a) === daysOf(b);
}

/** The number of check-ins, each name's shown check-ins, and all of their UTC days plus today. */
async function countCheckIns(run: Run) {
  const names = new Map<string, Signed>();
  const days = new Set([utcDay(run.store.clock.now())]);
  const checkIns = await forEach<StoredCheckIn>(run, guestbookKeys.allCheckIns, async (entry) => {
    const [, day, name] = entry.key as [string, string, string];
    days.add(day);
    const before = names.get(name) ?? NOTHING;
    names.set(name, entry.value.hidden ? before : withDay(before, day));
    await checkShown(run, entry);
  });
  return { checkIns, days, names };
}

/** A name's check-ins on some days. */
async function readSigned(store: Store, name: string, days: Set<string>): Promise<Signed> {
  const all = [...days].sort();
  const entries = await store.getMany<StoredCheckIn>(
    all.map((day) => guestbookKeys.checkIn(day, name)),
  );
  return all.filter((_, i) => entries[i]!.value?.hidden === false).reduce(withDay, NOTHING);
}
