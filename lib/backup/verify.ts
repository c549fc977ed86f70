import { firstBrokenEntry, type HistoryEntry } from "../auctions/history.ts";
import { auctionKeys } from "../auctions/keys.ts";
import type { StoredAuction } from "../auctions/schema.ts";
import { utcDay } from "../clock.ts";
import type { EntryKind } from "../entries.ts";
import { DomainError } from "../errors.ts";
import { guestbookKeys } from "../guestbook/keys.ts";
import { dryRunKv } from "../kv/dry_run.ts";
import { storeKeys } from "../kv/keys.ts";
import { listValues } from "../kv/ranges.ts";
import { counterValue, pairValue, Store, type Tx } from "../kv/store.ts";
import { listingKeys } from "../listings/keys.ts";
import type { StoredListing } from "../listings/schema.ts";
import { urlKey } from "../listings/url_identity.ts";
import { pollKeys } from "../poll/keys.ts";
import type { ReasonPointer, StoredBallot } from "../poll/schema.ts";
import { skillKeys } from "../skills/keys.ts";
import type { StoredSkill } from "../skills/schema.ts";
import { isHeld, voteKeys, voteRanges } from "../votes/keys.ts";
import type { Progress } from "./copy.ts";

/** A counter or index that differs from what the primary records say. */
export interface Difference {
  /** What is wrong, as a sentence that names the record. */
  what: string;
  /** Whether it was repaired. False without `--repair`, and if only a person can judge. */
  repaired: boolean;
}

/** What a verification looked at, and what it found. */
export interface Verification {
  checked: Record<string, number>;
  differences: Difference[];
}

interface Run {
  store: Store;
  /** What judges and repairs; without `repair` over a KV that writes nothing, but checks what was read. */
  judging: Store;
  repair: boolean;
  checked: Record<string, number>;
  differences: Difference[];
}

/**
 * Checks one record again inside a transaction. Returns what is wrong and how to repair it (null if
 * only a person can judge), or null if it is right.
 */
type Judgement = (tx: Tx) => Promise<{ what: string; mend: (() => void) | null } | null>;

/**
 * Recomputes every counter and index from the primary records, and reports the differences; with
 * `repair` it corrects them. Each suspicion is checked again in a transaction of its own, so
 * servers may go on writing.
 */
export async function verify(
  store: Store,
  options: { repair: boolean; progress: Progress },
): Promise<Verification> {
  const run: Run = {
    store,
    judging: options.repair ? store : new Store(dryRunKv(store.kv), store.clock),
    repair: options.repair,
    checked: {},
    differences: [],
  };
  const steps: [string, (run: Run) => Promise<number>][] = [
    ["listings", checkListings],
    ["held URLs", checkUrls],
    ["skills", checkSkills],
    ["ballots", checkPoll],
    ["poll reasons", checkReasons],
    ["check-ins", checkGuestbook],
    ["auctions", checkAuctions],
  ];
  for (const [name, step] of steps) {
    run.checked[name] = await step(run);
    options.progress(`${name}: ${run.checked[name]}`);
  }
  return { checked: run.checked, differences: run.differences };
}

async function judge({ judging, repair, differences }: Run, judgement: Judgement): Promise<void> {
  let last = "";
  try {
    const found = await judging.transact(async (tx) => {
      const verdict = await judgement(tx);
      if (verdict === null) return null;
      const { what, mend } = verdict;
      last = what;
      // A transaction that changes nothing is not committed, and its reads are not checked.
      if (mend === null) tx.delete(storeKeys.marker("verify"));
      else mend();
      return { what, repaired: repair && mend !== null };
    }, { conflict: "busy" });
    if (found !== null) differences.push(found);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "busy")) throw error;
    differences.push({
      what: `${last}, roughly: it changes too often; try again`,
      repaired: false,
    });
  }
}

/** Works on each entry of a range; returns how many there are. */
async function forEach<T>(
  { store }: Run,
  prefix: Deno.KvKey,
  work: (entry: Deno.KvEntry<T>) => Promise<void> | void,
): Promise<number> {
  let n = 0;
  for await (const entry of store.list<T>({ prefix })) {
    n++;
    await work(entry);
  }
  return n;
}

function checkListings(run: Run): Promise<number> {
  return forEach<StoredListing>(run, listingKeys.all, async ({ value: { slug, url } }) => {
    await checkVotes(run, "listing", slug);
    await judge(run, async (tx) => {
      const [record, held] = await tx.getMany<unknown>([
        listingKeys.one(slug),
        listingKeys.byUrl(urlKey(url)),
      ]);
      const listing = record!.value as StoredListing | null;
      if (listing === null || urlKey(listing.url) !== urlKey(url)) return null;
      // The operator may have freed the URL of a hidden one.
      if (held!.value === slug || listing.state === "hidden") return null;
      const what = `Listing ${slug} does not hold its URL; ${held!.value ?? "nobody"} does`;
      return { what, mend: held!.value === null ? () => tx.set(held!.key, slug) : null };
    });
  });
}

function checkUrls(run: Run): Promise<number> {
  return forEach<string>(run, listingKeys.allByUrl, ({ key, value }) =>
    judge(run, async (tx) => {
      const [held, record] = await tx.getMany<unknown>([key, listingKeys.one(value)]);
      const listing = record!.value as StoredListing | null;
      const isRight = held!.value !== value ||
        (listing !== null && urlKey(listing.url) === key.at(-1));
      if (isRight) return null;
      return { what: `A URL is held for ${value}, which has another`, mend: () => tx.delete(key) };
    }));
}

/** Compares a count with the stored votes that are not held. */
function checkVotes(run: Run, kind: EntryKind, slug: string): Promise<void> {
  return checkCount(run, {
    keyOf: (way) => voteKeys.count(kind, slug, way),
    stored: () =>
      countEntries<number>(run.store, voteRanges.votes(kind, slug), (vote) => !isHeld(vote)),
    tell: (count, stored) => `${kind} ${slug} counts ${count} votes, ${stored} are stored`,
    // Tells servers that keep counts in memory.
    change: { kind, slug, event: "recounted" },
  });
}

/** How often something is counted exactly, before what comes meanwhile is allowed for. */
const EXACT_TRIES = 3;

/**
 * Compares a pair of counters with what is stored. The commit checks the counters, so nothing that
 * is stored meanwhile is missed. Where something is stored or removed each time that all is counted,
 * it may have been counted or not: then the counters are right if they allow for the number.
 */
function checkCount(
  run: Run,
  options: {
    keyOf: (way: "up" | "down") => Deno.KvKey;
    stored: () => Promise<number>;
    tell: (count: number, stored: number) => string;
    change?: Parameters<Tx["change"]>[0];
  },
): Promise<void> {
  const { keyOf, tell, change } = options;
  const keys = [keyOf("up"), keyOf("down")];
  let tries = 0;
  return judge(run, async (tx) => {
    const [up, down] = await tx.getMany<unknown>(keys);
    const count = pairValue(up!, down!);
    const stored = await options.stored();
    if (stored === count) return null;
    if (++tries > EXACT_TRIES) {
      const [upNow, downNow] = await run.store.getMany<unknown>(keys);
      if (stored >= pairValue(up!, downNow!) && stored <= pairValue(upNow!, down!)) return null;
    }
    return {
      what: tell(count, stored),
      mend: () => {
        tx.sum(keyOf(stored > count ? "up" : "down"), BigInt(Math.abs(stored - count)));
        if (change !== undefined) tx.change(change);
      },
    };
  });
}

function checkSkills(run: Run): Promise<number> {
  return forEach<StoredSkill>(run, skillKeys.all, async ({ value: { slug } }) => {
    await checkVotes(run, "skill", slug);
    await judge(run, async (tx) => {
      const [record, content] = await tx.getMany<unknown>([
        skillKeys.one(slug),
        skillKeys.content(slug),
      ]);
      const skill = record!.value as StoredSkill | null;
      if (skill === null) return null;
      if (content!.value === null) return { what: `Skill ${slug} has no content`, mend: null };
      const held = await tx.get<string>(skillKeys.byContent(skill.contentKey));
      if (held.value === slug) return null;
      const what = `Skill ${slug} does not hold its content; ${held.value ?? "nobody"} does`;
      return { what, mend: held.value === null ? () => tx.set(held.key, slug) : null };
    });
  });
}

async function checkPoll(run: Run): Promise<number> {
  /** Stored ballots minus counted ballots, by day, class and candidate. */
  const gaps = new Map<string, number>();
  const note = (place: readonly unknown[], votes: number) => {
    const id = JSON.stringify(place);
    gaps.set(id, (gaps.get(id) ?? 0) + votes);
  };
  const n = await forEach<StoredBallot>(run, pollKeys.allBallots, ({ key, value }) => {
    note([key[1], value.voterClass, value.candidateId], 1);
  });
  await forEach(run, pollKeys.allTallies, (entry) => {
    note(entry.key.slice(1, 4), counterValue(entry) * (entry.key[4] === "up" ? -1 : 1));
  });
  for (const [id, gap] of gaps) {
    if (gap === 0) continue;
    const [day, voterClass, candidate] = JSON.parse(id) as Parameters<typeof pollKeys.tally>;
    await checkCount(run, {
      keyOf: (way) => pollKeys.tally(day, voterClass, candidate, way),
      stored: () =>
        countEntries<StoredBallot>(
          run.store,
          { prefix: pollKeys.ballots(day) },
          (ballot) => ballot.voterClass === voterClass && ballot.candidateId === candidate,
        ),
      tell: (count, stored) =>
        `${candidate} (${voterClass}) counts ${count} ballots on ${day}, ${stored} are stored`,
    });
  }
  return n;
}

function checkReasons(run: Run): Promise<number> {
  return forEach(run, pollKeys.reasons, ({ key }) =>
    judge(run, async (tx) => {
      const id = key.at(-1) as string;
      const pointer = (await tx.get<ReasonPointer>(key)).value;
      if (pointer === null) return null;
      const ballot =
        (await tx.get<StoredBallot>(pollKeys.ballot(pointer.day, pointer.voter))).value;
      if (ballot?.reasonId === id && !ballot.reasonPrivate) return null;
      return { what: `Reason ${id} is public without a ballot`, mend: () => tx.delete(key) };
    }));
}

async function checkGuestbook(run: Run): Promise<number> {
  const { checkIns, days, shown } = await countCheckIns(run.store);
  for (const [name, before] of shown) {
    await judge(run, async (tx) => {
      const agent = await tx.get<{ agentName: string; total: number }>(guestbookKeys.agent(name));
      const counted = agent.value?.total ?? 0;
      if (counted === before) return null;
      // The name may have signed since. That changes the record, which the commit checks.
      days.add(utcDay(run.store.clock.now()));
      const total = await countShown(run.store, name, days);
      if (counted === total) return null;
      return {
        what: `${agent.value?.agentName ?? name} counts ${counted} check-ins, ${total} are stored`,
        mend: agent.value === null ? null : () => tx.set(agent.key, { ...agent.value, total }),
      };
    });
  }
  await forEach<string>(run, guestbookKeys.allRecent, ({ key, value }) =>
    judge(run, async (tx) => {
      const [recent, checkIn] = await tx.getMany<unknown>([
        key,
        guestbookKeys.checkIn(value, key.at(-1) as string),
      ]);
      const shown = checkIn!.value as { hidden: boolean } | null;
      if (recent!.value === null || (shown !== null && !shown.hidden)) return null;
      return { what: `A check-in of ${value} is shown but not there`, mend: () => tx.delete(key) };
    }));
  return checkIns;
}

/** How many check-ins there are and how many of each name are shown, their UTC days and today. */
async function countCheckIns(
  store: Store,
): Promise<{ checkIns: number; days: Set<string>; shown: Map<string, number> }> {
  const shown = new Map<string, number>();
  const days = new Set([utcDay(store.clock.now())]);
  let checkIns = 0;
  const range = { prefix: guestbookKeys.allCheckIns };
  for await (const { key, value } of store.list<{ hidden: boolean }>(range)) {
    checkIns++;
    const [, day, name] = key as [string, string, string];
    days.add(day);
    shown.set(name, (shown.get(name) ?? 0) + (value.hidden ? 0 : 1));
  }
  return { checkIns, days, shown };
}

/** How many check-ins of a name on some days are shown. */
async function countShown(store: Store, name: string, days: Set<string>): Promise<number> {
  const entries = await store.getMany<{ hidden: boolean }>(
    [...days].map((day) => guestbookKeys.checkIn(day, name)),
  );
  return entries.filter(({ value }) => value?.hidden === false).length;
}

/** Checks the history of bids, which is evidence: differences are reported, never repaired. */
function checkAuctions(run: Run): Promise<number> {
  return forEach<StoredAuction>(run, auctionKeys.all, ({ value }) =>
    judge(run, async (tx) => {
      const auction = (await tx.get<StoredAuction>(auctionKeys.one(value.id))).value;
      if (auction === null) return null;
      const entries = await listValues<HistoryEntry>(run.store, auctionKeys.history(auction.id));
      const broken = firstBrokenEntry(auction.id, entries);
      if (broken !== null) {
        return { what: `Auction ${auction.id}: the history breaks at bid ${broken}`, mend: null };
      }
      const matches = entries.length === auction.bids &&
        (entries.at(-1)?.hash ?? null) === auction.lastHash;
      return matches ? null : {
        what: `Auction ${auction.id} names ${auction.bids} bids, its history has ${entries.length}`,
        mend: null,
      };
    }));
}

async function countEntries<T>(
  store: Store,
  range: Deno.KvListSelector,
  isCounted: (value: T) => boolean,
): Promise<number> {
  let n = 0;
  for await (const { value } of store.list<T>(range)) if (isCounted(value)) n++;
  return n;
}
