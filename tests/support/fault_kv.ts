import { delay } from "@/lib/clock.ts";
import { kvWith } from "./kv_with.ts";
import { seededRandom } from "./runs.ts";

/** What can go wrong in one KV operation. */
type KvFault =
  /** A commit throws without writing anything. */
  | "throw_before"
  /** A commit throws after writing everything: the caller can't know. */
  | "throw_after"
  /** A commit responds long after its deadline, and lands only then. */
  | "hang"
  /** A commit reports a failed check although none failed. */
  | "not_ok"
  /** A commit reports that another process has locked the file; nothing was written. */
  | "locked"
  /** A read throws. */
  | "read_throws";

/** The probability (0 to 1) of each fault per operation. */
export type FaultRates = Partial<Record<KvFault, number>>;

/** How long a hanging operation waits before it lands, in ms; tests use a shorter deadline. */
export const HANG_MS = 60;

/**
 * A KV that fails at random, by a seed. `injected` counts its faults; `settled()` waits until no
 * hanging operation is in progress, after which `rates = {}` makes it a plain KV.
 */
export function faultKv(
  inner: Deno.Kv,
  { seed, rates, hangMs = HANG_MS }: { seed: number; rates: FaultRates; hangMs?: number },
) {
  const random = seededRandom(seed);
  const hanging = new Set<Promise<unknown>>();
  const injected: Record<KvFault, number> = {
    throw_before: 0,
    throw_after: 0,
    hang: 0,
    not_ok: 0,
    locked: 0,
    read_throws: 0,
  };
  const faults = { rates, injected, caughtUp: () => Promise.allSettled(hanging) };
  const strikes = (fault: KvFault) => {
    const rate = faults.rates[fault] ?? 0;
    if (rate === 0 || random() >= rate) return false;
    injected[fault]++;
    return true;
  };
  const kv = kvWith(inner, {
    before(method) {
      if (method !== "atomic" && strikes("read_throws")) throw new Error("injected: read failed");
    },
    async commit(land) {
      if (strikes("throw_before")) throw new Error("injected: connection refused");
      if (strikes("locked")) throw new TypeError("database is locked");
      if (strikes("not_ok")) return { ok: false };
      if (strikes("hang")) {
        const late = delay(hangMs).then(land);
        hanging.add(late);
        return await late;
      }
      const afterward = strikes("throw_after");
      const result = await land();
      if (afterward) throw new Error("injected: connection lost after commit");
      return result;
    },
  });
  return { kv, faults };
}
