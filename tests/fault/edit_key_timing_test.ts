import { assert } from "@std/assert";
import { systemClock } from "@/lib/clock.ts";
import { createEditKey, requireEntryKey } from "@/lib/entries/edit_key.ts";
import type { StoredEntry } from "@/lib/entries/entries.ts";
import { DomainError } from "@/lib/errors.ts";
import type { Caller } from "@/lib/http/caller.ts";
import type { Store } from "@/lib/kv/store.ts";
import { rounds, runSeed, seededRandom } from "../support/runs.ts";

/** The number of calls of each kind, and the fastest share to keep: slower ones are noise. */
const CALLS = rounds(2_000, 100_000);
const KEPT = 0.8;
/**
 * Above this, two means differ (Goodwill et al., "A testing methodology for side-channel
 * resistance", 2011).
 */
const T_MAX = 4.5;

/** A store with one record and no database, so that only the check is timed. */
const storeOf = (value: Pick<StoredEntry, "keyHash" | "state">) =>
  ({
    clock: systemClock,
    get: () => Promise.resolve({ value }),
    transact: () => Promise.resolve(),
  }) as unknown as Store;
const caller = { network: "n" } as Caller;

/** Welch's t of two samples. */
function welch(a: readonly number[], b: readonly number[]): number {
  const moments = (sample: readonly number[]) => {
    const mean = sample.reduce((sum, value) => sum + value, 0) / sample.length;
    const squares = sample.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return { mean, error: squares / (sample.length - 1) / sample.length };
  };
  const [one, two] = [moments(a), moments(b)];
  return (one.mean - two.mean) / Math.sqrt(one.error + two.error);
}

Deno.test("checking a wrong edit key takes the same time wherever it differs and for hidden entries (Welch's t)", async () => {
  const random = seededRandom(runSeed("edit key timing"));
  const { editKey, keyHash } = createEditKey();
  const wrongAt = (i: number) =>
    editKey.slice(0, i) + (editKey[i] === "A" ? "B" : "A") + editKey.slice(i + 1);
  const live = storeOf({ keyHash, state: "live" });
  const hidden = storeOf({ keyHash, state: "hidden" });
  // Hidden entries twice too: rarely used code is slower, as it leaves the caches.
  const kinds = [
    { editKey: wrongAt(45), store: live, times: [] as number[] },
    { editKey: wrongAt(4), store: live, times: [] as number[] },
    { editKey: wrongAt(4), store: hidden, times: [] as number[] },
    { editKey: wrongAt(45), store: hidden, times: [] as number[] },
  ];
  const time = async ({ editKey, store }: { editKey: string; store: Store }) => {
    const from = performance.now();
    try {
      await requireEntryKey(store, "listing", { slug: "a", editKey, caller });
    } catch (error) {
      if (error instanceof DomainError) return performance.now() - from;
      throw error;
    }
    throw new Error("A wrong key was taken");
  };
  for (let i = 0; i < 5_000; i++) await time(kinds[i % kinds.length]!);
  // A random kind each time, so that none regularly follows another.
  for (let i = 0; i < CALLS * kinds.length; i++) {
    const kind = kinds[Math.floor(random() * kinds.length)]!;
    kind.times.push(await time(kind));
  }
  const all = kinds.flatMap(({ times }) => times).sort((a, b) => a - b);
  const most = all[Math.floor(all.length * KEPT)]!;
  const [end, beginning, ofHidden] = kinds.map(({ times }) => times.filter((ms) => ms <= most));
  for (
    const [what, t] of [
      ["at the beginning or the end", welch(beginning!, end!)],
      ["of a live or a hidden entry", welch(beginning!, ofHidden!)],
    ] as const
  ) {
    // deno-lint-ignore no-console -- the run's result
    console.log(`t of keys ${what}: ${t.toFixed(2)}`);
    assert(Math.abs(t) < T_MAX, `${what}: t = ${t}`);
  }
});
