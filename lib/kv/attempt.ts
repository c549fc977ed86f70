/** The longest that one KV operation may take, in ms. */
export const OPERATION_DEADLINE_MS = 5_000;

/** Runs one KV operation with its deadline; throws what it throws, or an Error when time is up. */
export function attempt<T>(operation: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error("KV operation passed its deadline")),
      OPERATION_DEADLINE_MS,
    );
    operation().then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Whether SQLite refused because another process writes: nothing was committed, a repeat is exact. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message);
}

/** Waits before try number `tries` (from 1): 2 ms doubling to at most 250 ms, with full jitter. */
export function pause(tries: number): Promise<void> {
  const most = Math.min(250, 2 ** tries);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}
