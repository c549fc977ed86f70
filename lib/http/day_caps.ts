import { HOUR_MS, utcDay } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Tx } from "../kv/store.ts";
import { HOLDER_DAY_CAP_NAMES, HOLDER_DAY_CAPS, type HolderDayCap } from "../limits.ts";
import { waitingTime } from "../text/dates.ts";
import type { Caller } from "./caller.ts";
import { dayCap } from "./rate_limit.ts";

/**
 * Keys of daily caps per address holder.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["day_caps", cap, UTC day, IPv4 network or IPv6 /48] | the count for that day; expires after 25 hours | `spendDay` |
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
  tx.set(entry.key, count + 1, { expireIn: 25 * HOUR_MS });
}

/** The `rate_limited` error for a holder who has reached a daily cap. */
export function holderCapReached(cap: HolderDayCap, caller: Caller, now: number): DomainError {
  const limit = HOLDER_DAY_CAPS[cap];
  const { details, headers } = dayCap(cap, limit, now);
  const { retryAfterSeconds } = details;
  const whose = caller.widerNetwork === null ? "network" : "IPv6 /48";
  const rule =
    `Too many ${HOLDER_DAY_CAP_NAMES[cap]} from this ${whose} (limit: ${limit} a day). ` +
    "Try again in";
  return new DomainError("rate_limited", details, {
    headers,
    message: `${rule} ${retryAfterSeconds} seconds`,
    onPage: `${rule} ${waitingTime(retryAfterSeconds)}`,
  });
}
