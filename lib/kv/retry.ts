import { delay } from "../clock.ts";
import { DomainError } from "../errors.ts";

/** How long (ms) after a KV failure reads, commits and the opening of a file are tried again. */
export const PATIENCE_MS = 10_000;

/** After this many conflicts, `pause` stops growing (at up to 32 ms). */
export const CONFLICT_PAUSES = 5;

/** `storage_unavailable`: nothing was written, and the same request may work in two seconds. */
export function unavailable(cause?: unknown): DomainError {
  return new DomainError("storage_unavailable", undefined, {
    cause,
    headers: { "Retry-After": "2" },
  });
}

/**
 * True if SQLite refused because another process was writing. Nothing was committed, so the same
 * commit can be sent again.
 */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message);
}

/**
 * True if KV refused a key or value over its limits: a bug of ours that no retry fixes. Nothing was
 * committed.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof TypeError &&
    /too (large|long|many)|exceed|non-empty/i.test(error.message);
}

/** Waits before attempt `tries` (from 1): 2 ms, doubling up to 250 ms, with full jitter. */
export function pause(tries: number): Promise<void> {
  const most = Math.min(250, 2 ** tries);
  return delay(Math.random() * most);
}

/**
 * Runs a read and retries it up to three times within ten seconds. Throws `storage_unavailable`.
 */
export async function repeatedRead<T>(read: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let tries = 0;; tries++) {
    try {
      return await read();
    } catch (cause) {
      if (isRefusal(cause)) throw cause;
      if (tries >= 3 || performance.now() > giveUpAt) throw unavailable(cause);
      await pause(tries + 1);
    }
  }
}
