import { delay } from "../clock.ts";
import { DomainError } from "../errors.ts";

/** The longest that a transaction may go on trying after a failure of KV, in ms. */
export const PATIENCE_MS = 10_000;

/** The number of conflicts after which `pause` grows no further (it is then at most 32 ms). */
export const CONFLICT_PAUSES = 5;

/** The error that every failure of KV is turned into. */
export function unavailable(cause?: unknown): DomainError {
  return new DomainError("storage_unavailable", undefined, {
    cause,
    headers: { "Retry-After": "2" },
  });
}

/**
 * Whether SQLite refused because another process was writing. Nothing was committed then, so the
 * same commit can be sent again.
 */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message);
}

/**
 * Whether KV refused a key or value that is past its limits: a mistake of ours that no retry mends.
 * Nothing was committed.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof TypeError &&
    /too (large|long|many)|exceed|non-empty/i.test(error.message);
}

/** Waits before try number `tries` (from 1): 2 ms doubling to at most 250 ms, with full jitter. */
export function pause(tries: number): Promise<void> {
  const most = Math.min(250, 2 ** tries);
  return delay(Math.random() * most);
}

/**
 * Runs a read; if it fails, repeats it up to three times within ten seconds. Throws
 * `storage_unavailable`.
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
