import { DomainError } from "../errors.ts";
import { storeKeys } from "../kv/keys.ts";
import { pairValue, type Store, type Tx } from "../kv/store.ts";

/** A counter or index that differs from the primary records. */
export interface Difference {
  /** What is wrong, as a sentence that names the record. */
  what: string;
  /** Whether it was repaired. False without `--repair`, or if only a person can judge. */
  repaired: boolean;
}

/** A verification under way. */
export interface Run {
  /** Without `repair`, its KV writes nothing, but a commit still checks what was read. */
  store: Store;
  repair: boolean;
  differences: Difference[];
}

/**
 * Checks one record again inside a transaction. Returns the problem and its repair (null if only a
 * person can judge), or null if the record is right.
 */
type Judgment = (tx: Tx) => Promise<{ what: string; mend: (() => void) | null } | null>;

/** Judges a record in its own transaction, records the problem, and repairs it if asked. */
export async function judge(
  { store, repair, differences }: Run,
  judgment: Judgment,
): Promise<void> {
  let last = "";
  try {
    const found = await store.transact(async (tx) => {
      const verdict = await judgment(tx);
      if (verdict === null) return null;
      const { what, mend } = verdict;
      last = what;
      // A transaction that changes nothing is not committed, and its reads are not checked.
      if (mend === null) tx.delete(storeKeys.marker("verify"));
      else mend();
      return { what, repaired: repair && mend !== null };
    }, { conflict: "busy" });
    if (found !== null) differences.push(found);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "busy")) throw error;
    differences.push({
      what: `${last} (approximate, because it keeps changing; try again)`,
      repaired: false,
    });
  }
}

/** Processes each entry of a range; returns how many there are. */
export async function forEach<T>(
  { store }: Run,
  prefix: Deno.KvKey,
  work: (entry: Deno.KvEntry<T>) => Promise<void> | void,
): Promise<number> {
  let n = 0;
  for await (const entry of store.list<T>({ prefix })) {
    n++;
    await work(entry);
  }
  return n;
}

/** How many exact counts to try before allowing for concurrent changes. */
const EXACT_TRIES = 3;

/**
 * Compares a pair of counters with stored entries. The commit checks the counters, so no concurrent
 * entry is missed. If something is stored or removed during every count, it may or may not have
 * been counted; the counters are then right if they are within that number.
 */
export function checkCount(
  run: Run,
  options: {
    keyOf: (way: "up" | "down") => Deno.KvKey;
    stored: () => Promise<number>;
    tell: (count: number, stored: number) => string;
    change?: Parameters<Tx["change"]>[0];
  },
): Promise<void> {
  const { keyOf, tell, change } = options;
  const keys = [keyOf("up"), keyOf("down")];
  let tries = 0;
  return judge(run, async (tx) => {
    const [up, down] = await tx.getMany<unknown>(keys);
    const count = pairValue(up!, down!);
    const stored = await options.stored();
    if (stored === count) return null;
    if (++tries > EXACT_TRIES) {
      const [upNow, downNow] = await run.store.getMany<unknown>(keys);
      if (stored >= pairValue(up!, downNow!) && stored <= pairValue(upNow!, down!)) return null;
    }
    return {
      what: tell(count, stored),
      mend: () => {
        tx.sum(keyOf(stored > count ? "up" : "down"), BigInt(Math.abs(stored - count)));
        if (change !== undefined) tx.change(change);
      },
    };
  });
}

/** The number of entries in a range that count. */
export async function countEntries<T>(
  store: Store,
  range: Deno.KvListSelector,
  isCounted: (value: T) => boolean,
): Promise<number> {
  let n = 0;
  for await (const { value } of store.list<T>(range)) if (isCounted(value)) n++;
  return n;
}
