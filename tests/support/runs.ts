/**
 * A repeatable random number generator from 0 to 1 (mulberry32, by Tommy Ettinger, public domain).
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The seed of a run: `SEED`, or a new one; printed so that a failure can be replayed. */
export function runSeed(label: string): number {
  const given = Deno.env.get("SEED");
  const seed = given === undefined ? crypto.getRandomValues(new Uint32Array(1))[0]! : Number(given);
  // deno-lint-ignore no-console -- a failure must say how to replay it
  console.log(`${label}: SEED=${seed}`);
  return seed;
}

/**
 * Waits until all work has ended, then throws the first error, so no work runs into the next test.
 */
export async function allEnded(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === "rejected");
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
}

/** The size of a run: `short` in the test run, `long` under `deno task soak`. */
export function rounds<T>(short: T, long: T): T {
  return Deno.env.get("SOAK") === "1" ? long : short;
}
