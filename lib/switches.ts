import type { CachedRead } from "./cache/cached_read.ts";
import { attempt, DISPENSABLE_MS } from "./kv/attempt.ts";
import { storeKeys } from "./kv/keys.ts";
import type { Store } from "./kv/store.ts";

/** Switches the operator can change without a restart. One KV value, shared by all processes. */
export interface Switches {
  /** New listings wait for approval. */
  review: boolean;
  submissionsPaused: boolean;
  paymentsClosed: boolean;
}

const DEFAULTS: Switches = { review: false, submissionsPaused: false, paymentsClosed: false };

/** The switches in an entry of `storeKeys.switches`. */
export function readSwitches(entry: { value: unknown }): Switches {
  return { ...DEFAULTS, ...(entry.value as Partial<Switches> | null) };
}

/** Reads the switches. */
export async function getSwitches(store: Store): Promise<Switches> {
  return readSwitches(await store.get(storeKeys.switches));
}

/**
 * The switches, for texts that mention them. If storage is slow or fails, their last known values,
 * or null if they were never read.
 */
export async function shownSwitches(
  { store, switches }: { store: Store; switches: CachedRead<Switches> },
): Promise<Switches | null> {
  const read = () => switches.get("", 0, () => getSwitches(store));
  return await attempt(read, DISPENSABLE_MS).catch(() => switches.last() ?? null);
}

/**
 * When a new listing appears, in words that follow "it goes"; null while the operator has paused
 * submissions.
 */
export function whenListed(switches: Switches | null): string | null {
  if (switches === null) return "live immediately unless review is on";
  if (switches.submissionsPaused) return null;
  return switches.review ? "live once approved" : "live immediately";
}

/** Changes some switches and keeps the others. */
export async function setSwitches(store: Store, change: Partial<Switches>): Promise<void> {
  await store.transact(async (tx) => {
    tx.set(storeKeys.switches, { ...readSwitches(await tx.get(storeKeys.switches)), ...change });
  });
}
