import { CLOCK_SKEW_MS, DAY_MS, HOUR_MS } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Tx } from "../kv/store.ts";
import { LIMITS, RATE_LIMIT_NAMES, RATE_LIMITS, type RateBucket } from "../limits.ts";
import { waitingTime } from "../text/dates.ts";

/**
 * Keys of the rate limits.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["rate_limits", bucket, network] | times (ms) of the last hour, oldest first | `spend`, `spendWindow` |
 */
export const rateLimitKeys = {
  window: (bucket: RateBucket, network: string) => ["rate_limits", bucket, network],
} as const;

/** The name of the queue that serializes this process's transactions on one window. */
export function rateLimitQueue(bucket: RateBucket, network: string): string {
  return `rate_limit:${bucket}:${network}`;
}

/**
 * Counts one use, in the transaction of the limited action. The count is exact over a rolling hour
 * and shared by all processes. If the limit is reached, throws `rate_limited` with the limit and
 * when to retry, and writes nothing.
 */
export async function spend(
  tx: Tx,
  options: { bucket: RateBucket; network: string; now: number },
): Promise<void> {
  const key = rateLimitKeys.window(options.bucket, options.network);
  spendWindow(tx, await tx.get(key), options);
}

/** Counts one use like `spend`, in a window that the transaction has already read and checked. */
export function spendWindow(
  tx: Tx,
  window: Deno.KvEntryMaybe<unknown>,
  { bucket, now }: { bucket: RateBucket; now: number },
): void {
  const recent = requireRoom(bucket, window.value as number[] | null, now);
  tx.set(window.key, [...recent, now], { expireIn: HOUR_MS });
}

/** Throws `rate_limited` if the window is full, without counting. */
export async function checkLimit(
  tx: Tx,
  options: { bucket: RateBucket; network: string; now: number },
): Promise<void> {
  const { bucket, network, now } = options;
  const { value } = await tx.peek<number[]>(rateLimitKeys.window(bucket, network));
  requireRoom(bucket, value, now);
}

/** The uses in the last hour. Throws `rate_limited` if there is no room for another. */
function requireRoom(bucket: RateBucket, window: number[] | null, now: number): number[] {
  const limit = RATE_LIMITS[bucket];
  const recent = (window ?? []).filter((at) => isWithin(HOUR_MS, at, now));
  if (recent.length >= limit) throw rateLimited(bucket, recent[recent.length - limit]!, now);
  return recent;
}

/**
 * Whether a time lies within the last `spanMs` (all in ms). One too far in the future came from a
 * wrong clock.
 */
export function isWithin(spanMs: number, at: number, now: number): boolean {
  return at > now - spanMs && at <= now + CLOCK_SKEW_MS;
}

function rateLimited(bucket: RateBucket, oldest: number, now: number): DomainError {
  const limit = RATE_LIMITS[bucket];
  const windowSeconds = HOUR_MS / 1000;
  const left = Math.ceil((oldest + HOUR_MS - now) / 1000);
  const retryAfterSeconds = Math.min(windowSeconds, Math.max(1, left));
  const details = { limit, windowSeconds, retryAfterSeconds };
  const rule =
    `Too many ${RATE_LIMIT_NAMES[bucket]} from this network (limit: ${limit} an hour). ` +
    "Try again in";
  return new DomainError("rate_limited", details, {
    headers: rateHeaders(bucket, details),
    message: `${rule} ${retryAfterSeconds} seconds`,
    onPage: `${rule} ${waitingTime(retryAfterSeconds)}`,
  });
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
  tx.set(entry.key, [...known, id], { expireIn: 2 * DAY_MS });
}

/** Details and headers of a 429 that ends with the UTC day, from a daily cap per network. */
export function dayCap(
  policy: string,
  limit: number,
  now: number,
): { details: RateDetails; headers: Record<string, string> } {
  const retryAfterSeconds = Math.ceil((DAY_MS - now % DAY_MS) / 1000);
  const details = { limit, windowSeconds: DAY_MS / 1000, retryAfterSeconds };
  return { details, headers: rateHeaders(policy, details) };
}

/** What a 429 says about the limit. */
interface RateDetails {
  limit: number;
  windowSeconds: number;
  retryAfterSeconds: number;
}

/** The headers of a 429, following the IETF draft "RateLimit header fields for HTTP". */
function rateHeaders(
  policy: string,
  { limit, windowSeconds, retryAfterSeconds }: RateDetails,
): Record<string, string> {
  return {
    "Retry-After": String(retryAfterSeconds),
    "RateLimit-Policy": `"${policy}";q=${limit};w=${windowSeconds}`,
    "RateLimit": `"${policy}";r=0;t=${retryAfterSeconds}`,
  };
}
