import { CLOCK_SKEW_MS, HOUR_MS } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Tx } from "../kv/store.ts";
import { RATE_LIMIT_NAMES, RATE_LIMITS, type RateBucket } from "../limits.ts";
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
  tx.setExpiring(window.key, [...recent, now]);
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
  const rule = `Too many ${RATE_LIMIT_NAMES[bucket]} from this network (limit: ${limit} an hour)`;
  return tooMany(rule, bucket, { limit, windowSeconds, retryAfterSeconds });
}

/** The `rate_limited` error: the rule, and when to try again. */
export function tooMany(rule: string, policy: string, details: RateDetails): DomainError {
  const { retryAfterSeconds } = details;
  return new DomainError("rate_limited", details, {
    headers: rateHeaders(policy, details),
    message: `${rule}. Try again in ${waitingTime(retryAfterSeconds)}`,
  });
}

/** What a 429 says about the limit. */
export interface RateDetails {
  limit: number;
  windowSeconds: number;
  retryAfterSeconds: number;
}

/** The headers of a 429, following the IETF draft "RateLimit header fields for HTTP". */
export function rateHeaders(
  policy: string,
  { limit, windowSeconds, retryAfterSeconds }: RateDetails,
): Record<string, string> {
  return {
    "Retry-After": String(retryAfterSeconds),
    "RateLimit-Policy": `"${policy}";q=${limit};w=${windowSeconds}`,
    "RateLimit": `"${policy}";r=0;t=${retryAfterSeconds}`,
  };
}
