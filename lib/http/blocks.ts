import type { CachedRead } from "../cache/cached_read.ts";
import { type Clock, CLOCK_SKEW_MS, DAY_MS, isoTime, utcDay } from "../clock.ts";
import { DomainError, notFound } from "../errors.ts";
import { attempt, DISPENSABLE_MS } from "../kv/attempt.ts";
import type { Store } from "../kv/store.ts";
import type { Caller } from "./caller.ts";
import type { Identity } from "./identity.ts";

/** The most days that a network can be blocked. */
export const BLOCK_DAYS_MAX = 90;

/**
 * Keys of blocked networks.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["blocked_networks", pseudonym of a day] | until when (ms); expires | `blockNetwork` |
 */
const blockKeys = {
  one: (pseudonym: string) => ["blocked_networks", pseudonym],
  all: ["blocked_networks"],
} as const;

/** Dependencies for reading blocks. */
interface Deps {
  store: Store;
  clock: Clock;
  identity: Identity;
  blocks: CachedRead<Blocks>;
}

/** When each block ends (ms), by the network's pseudonym for the day. */
export type Blocks = ReadonlyMap<string, number>;

/**
 * The pseudonym that the operator sees for an address holder on a UTC day: the day and a hash. It
 * reveals nothing about the network and cannot be found again on another day.
 */
export function daysNetwork(
  { identity }: Pick<Deps, "identity">,
  { caller, now }: { caller: Caller; now: number },
): string {
  return pseudonymOn(identity, utcDay(now), caller);
}

function pseudonymOn(identity: Identity, day: string, { holder }: Caller): string {
  return `${day}.${identity.ofDay(day, holder)}`;
}

/** Throws `rate_limited` if the operator has blocked the caller's network. */
export async function refuseBlocked(deps: Deps, caller: Caller): Promise<void> {
  const until = await blockedUntil(deps, caller);
  if (until === null) return;
  const retryAfterSeconds = Math.ceil((until - deps.clock.now()) / 1000);
  const details = { limit: 0, windowSeconds: retryAfterSeconds, retryAfterSeconds };
  throw new DomainError("rate_limited", details, {
    headers: { "Retry-After": String(retryAfterSeconds) },
    message: `The operator has blocked this network until ${isoTime(until)}`,
  });
}

/** When the operator's block on the caller's network ends (ms); null if it is not blocked. */
export async function blockedUntil(deps: Deps, caller: Caller): Promise<number | null> {
  const now = deps.clock.now();
  const read = () => deps.blocks.get("", now, () => readBlocks(deps.store));
  // If storage fails, no write succeeds anyway.
  const blocks = await attempt(read, DISPENSABLE_MS).catch(() => deps.blocks.last());
  for (const [pseudonym, until] of blocks ?? []) {
    if (until <= now) continue;
    if (pseudonymOn(deps.identity, pseudonym.slice(0, 10), caller) === pseudonym) return until;
  }
  return null;
}

/**
 * Blocked networks and when each block ends (ms). One that would last longer than any block comes
 * from a clock that was later set back.
 */
export async function readBlocks(store: Store): Promise<Blocks> {
  const blocks = new Map<string, number>();
  const latest = store.clock.now() + BLOCK_DAYS_MAX * DAY_MS + CLOCK_SKEW_MS;
  for await (const { key, value } of store.list<number>({ prefix: blockKeys.all })) {
    if (value <= latest) blocks.set(key[1] as string, value);
  }
  return blocks;
}

/** Blocks a network, by its pseudonym for the day, until a time (ms). */
export function blockNetwork(
  store: Store,
  { pseudonym, until }: { pseudonym: string; until: number },
): Promise<void> {
  return store.transact((tx) => {
    tx.setExpiring(blockKeys.one(pseudonym), until);
  });
}

/** Lifts a block. Throws `not_found`. */
export function unblockNetwork(store: Store, pseudonym: string): Promise<void> {
  return store.transact(async (tx) => {
    const { key, value } = await tx.get(blockKeys.one(pseudonym));
    if (value === null) throw notFound(`${pseudonym} is not blocked`);
    tx.delete(key);
  });
}
