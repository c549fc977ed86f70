/** The longest that one KV operation may take, in ms. */
export const OPERATION_DEADLINE_MS = 5_000;

/** The longest that a transaction may go on trying after a failure of KV, in ms. */
export const PATIENCE_MS = 10_000;

/** Runs one KV operation; throws what it throws, or an Error when `deadlineMs` have passed. */
export function attempt<T>(operation: () => Promise<T>, deadlineMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error("KV operation passed its deadline")),
      deadlineMs,
    );
    operation().then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Whether SQLite refused because another process writes: nothing was committed, a repeat is exact. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message);
}

/** A mistake of ours that no retry mends: a key or value past KV's limits. Nothing was committed. */
export function isRefusal(error: unknown): boolean {
  return error instanceof TypeError &&
    /too (large|long|many)|exceed|non-empty/i.test(error.message);
}

/** Waits before try number `tries` (from 1): 2 ms doubling to at most 250 ms, with full jitter. */
export function pause(tries: number): Promise<void> {
  const most = Math.min(250, 2 ** tries);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}
