/**
 * When a job has something to do: a time in KV, Infinity if nothing waits, 0 once there is
 * something new. A job reads it first, so an idle run costs one read, in any process.
 */
import type { Store } from "./kv/store.ts";

type KnownTime = Deno.KvEntryMaybe<number>;

/**
 * True if a time (ms) has come. A wait longer than `longest`, the longest that we write, comes from
 * a clock that was later set back.
 */
export function isDue(at: number, now: number, longest: number): boolean {
  return at <= now || at > now + longest;
}

/** True if a job has something to do, as far as its time says. */
export function hasWork({ value }: KnownTime, now: number, longest: number): boolean {
  return value !== Infinity && isDue(value ?? 0, now, longest);
}

/**
 * Records when (ms) a job has more to do, at most `longest` from now, unless something was queued
 * after its time was read (`known`).
 */
export async function noteNext(
  store: Store,
  known: KnownTime,
  { next, longest }: { next: number; longest: number },
): Promise<void> {
  const until = next === Infinity ? next : Math.min(next, store.clock.now() + longest);
  if (known.value === until) return;
  await store.transact(async (tx) => {
    const { key, versionstamp } = await tx.get(known.key);
    if (versionstamp === known.versionstamp) tx.set(key, until);
  });
}
