import { DAY_MS, utcDay } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Tx } from "../kv/store.ts";
import { HOLDER_DAY_CAP_NAMES, HOLDER_DAY_CAPS, type HolderDayCap, LIMITS } from "../limits.ts";
import type { Caller } from "./caller.ts";
import { type RateDetails, rateHeaders, tooMany } from "./rate_limit.ts";

/**
 * Keys of daily caps per address holder.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["day_caps", cap, UTC day, IPv4 network or IPv6 /48] | the count for that day; expires | `spendDay` |
 */
export const dayCapKeys = {
  count: (cap: HolderDayCap, now: number, { holder }: Caller) => [
    "day_caps",
    cap,
    utcDay(now),
    holder,
  ],
} as const;

/**
 * Adds one to a holder's count for a UTC day (`entry`, already read). Throws `rate_limited` with
 * the cap and writes nothing if the cap is reached.
 */
export function spendDay(
  tx: Tx,
  entry: Deno.KvEntryMaybe<unknown>,
  { cap, caller, now }: { cap: HolderDayCap; caller: Caller; now: number },
): void {
  const count = (entry.value ?? 0) as number;
  if (count >= HOLDER_DAY_CAPS[cap]) throw holderCapReached(cap, caller, now);
  tx.check(entry);
  tx.setExpiring(entry.key, count + 1);
}

/** The `rate_limited` error for a holder who has reached a daily cap. */
export function holderCapReached(cap: HolderDayCap, caller: Caller, now: number): DomainError {
  const limit = HOLDER_DAY_CAPS[cap];
  const whose = caller.widerNetwork === null ? "network" : "IPv6 /48";
  const rule = `Too many ${HOLDER_DAY_CAP_NAMES[cap]} from this ${whose} (limit: ${limit} a day)`;
  return tooMany(rule, cap, dayCap(cap, limit, now).details);
}

/** Adds a new agent to those of its network today (`entry`). Throws `too_many_agent_identities`. */
export function admitAgent(
  tx: Tx,
  options: { entry: Deno.KvEntryMaybe<unknown>; id: string; policy: string; now: number },
): void {
  const { entry, id, policy, now } = options;
  const known = (entry.value ?? []) as string[];
  if (known.length >= LIMITS.agentsPerNetworkDay) {
    const { details, headers } = dayCap(policy, LIMITS.agentsPerNetworkDay, now);
    throw new DomainError("too_many_agent_identities", details, { headers });
  }
  tx.check(entry);
  tx.setExpiring(entry.key, [...known, id]);
}

/** Details and headers of a 429 that ends with the UTC day. */
export function dayCap(
  policy: string,
  limit: number,
  now: number,
): { details: RateDetails; headers: Record<string, string> } {
  const retryAfterSeconds = Math.ceil((DAY_MS - now % DAY_MS) / 1000);
  const details = { limit, windowSeconds: DAY_MS / 1000, retryAfterSeconds };
  return { details, headers: rateHeaders(policy, details) };
}
