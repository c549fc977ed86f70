import { DAY_MS, HOUR_MS } from "../clock.ts";
import { storeKeys } from "./keys.ts";
import { createLogId } from "./log_id.ts";
import type { Store } from "./store.ts";

/** An entry of the permanent log of public changes. Hidden records are published as tombstones. */
export interface Change {
  id: string;
  kind: "listing" | "skill" | "site";
  /** The slug of the listing or skill; for `site`, what changed (a switch, the poll, the guestbook, ...). */
  slug: string;
  event: string;
  /** ms since the epoch. */
  at: number;
}

/** A step of a counter, which the short-lived log carries to other processes. */
export interface Pulse {
  id: string;
  kind: "vote" | "click" | "skill_vote" | "skill_copy" | "check_in" | "ballot";
  /** The slug of the listing or skill; for a check-in or ballot, the key of the agent's name. */
  slug: string;
  delta: number;
  at: number;
}

/**
 * What listeners in this process hear after a commit; `payload` is what the writer had at hand. `foreign`
 * marks what is to be read again: what another process wrote, which comes up to a second late and without a payload,
 * and what landed here at a time that is not known.
 */
export type Notice =
  | { type: "change"; change: Change; payload?: unknown; foreign?: true }
  | { type: "pulse"; pulse: Pulse; foreign?: true };

/** How long a pulse stays: a day of vote velocity, and an hour of grace. */
export const PULSE_TTL_MS = 25 * HOUR_MS;

/** How long the marker of a commit stays. */
export const MARKER_TTL_MS = 60_000;

/** How long the void of a marker stays: a request that a network held back may come to a KV server much later. */
export const VOID_TTL_MS = DAY_MS;

/**
 * A key that is absent until the transactions that it stands for, or its void, have landed. It is checked as absent,
 * so that they land only once, and what it holds afterwards tells what became of them.
 */
export interface Marker {
  key: Deno.KvKey;
  value: unknown;
  /** What it holds when they were given up: an entry of its log that says nothing. */
  voidValue: unknown;
  expireIn?: number;
}

/** What is assumed of a key that is not there. */
const ABSENT = { value: null, versionstamp: null };

/** A transaction ready to commit, alone or together with others. Keys of maps and sets are KV keys as JSON. */
export interface Sealed {
  checks: ReadonlyMap<string, Deno.AtomicCheck>;
  /** What it sets or deletes. */
  written: ReadonlySet<string>;
  writes: readonly ((op: Deno.AtomicOperation) => void)[];
  sums: ReadonlyMap<string, Sum>;
  /** Its steps of counters: one entry of the log, also with those of others. */
  pulses: readonly Pulse[];
  /** Its own marker; null where the entry of its pulses is it, alone or in a group. */
  marker: Marker | null;
  /** The marker of the group in which it was committed with an outcome that is not known; else null. */
  shared: Marker | null;
  /** Its commits that KV has not answered, also those that nobody waits for any longer. */
  underWay: Set<Promise<unknown>>;
}

/** What is added to a counter. */
export interface Sum {
  key: Deno.KvKey;
  amount: bigint;
}

/** The reads and writes of one try of a transaction; made by `Store.transact` alone. */
export class Tx {
  readonly notices: Notice[] = [];
  /** The term (`Store.term`) in which it has landed, if in one. */
  term: number | null = null;
  readonly #checks = new Map<string, Deno.AtomicCheck>();
  readonly #writes: ((op: Deno.AtomicOperation) => void)[] = [];
  readonly #written = new Set<string>();
  readonly #sums = new Map<string, Sum>();
  readonly #pulses: Pulse[] = [];
  #marker: Marker | null = null;

  /** What was taken from memory or assumed instead of read; the commit's checks hold it. */
  readonly recalled = new Set<string>();
  /** What this transaction makes of recalled keys, by key as JSON; undefined where it deletes. */
  readonly values = new Map<string, unknown>();

  constructor(readonly store: Store, private readonly mayRecall = false) {}

  /** Whether anything is to be written. */
  get writes(): boolean {
    return this.#writes.length > 0 || this.#sums.size > 0 || this.#pulses.length > 0 ||
      this.#marker !== null;
  }

  /** Reads a key and makes the commit depend on its staying as it is. */
  async get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    const entry = await this.store.get<T>(key);
    this.check(entry);
    return entry;
  }

  /** Reads keys and makes the commit depend on their staying as they are. */
  async getMany<T>(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<T>[]> {
    const entries = await this.store.getMany<T>(keys);
    for (const entry of entries) this.check(entry);
    return entries;
  }

  /**
   * Reads keys on which the commit depends, from memory where this process knows them. A key it does not know
   * is read, or taken as what `or` says, or with `orAbsent` as absent. Where that is wrong a check fails, and the transaction runs
   * again on real reads: cheap where almost every answer is known beforehand, such as that a voter is new.
   * Only for values that JSON can say.
   */
  async recall(
    keys: readonly Deno.KvKey[],
    options: { or?: Deno.KvEntryMaybe<unknown>; orAbsent?: boolean } = {},
  ): Promise<Deno.KvEntryMaybe<unknown>[]> {
    if (!this.mayRecall) return this.store.memory.keep(await this.getMany<unknown>(keys));
    const ids = keys.map((key) => JSON.stringify(key));
    const known = ids.map((id) => this.store.memory.known(id) ?? options.or);
    const missing = options.orAbsent ? [] : keys.filter((_, i) => known[i] === undefined);
    const read = missing.length > 0
      ? this.store.memory.keep(await this.store.getMany<unknown>(missing))
      : [];
    return keys.map((key, i) => {
      const { value, versionstamp } = known[i] ?? read.shift() ?? ABSENT;
      const entry = { key, value, versionstamp } as Deno.KvEntryMaybe<unknown>;
      this.recalled.add(ids[i]!);
      this.check(entry, ids[i]);
      return entry;
    });
  }

  /** Reads a key on which the commit does not depend. */
  peek<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return this.store.get<T>(key);
  }

  /** Makes the commit depend on an entry that was read before; of two reads of a key, on the first. */
  check(entry: Deno.AtomicCheck, id: string = JSON.stringify(entry.key)): void {
    if (this.#checks.has(id)) return;
    this.#checks.set(id, { key: entry.key, versionstamp: entry.versionstamp });
  }

  /** Writes a value; an expiry that matters belongs into the value too, since `expireIn` is late. */
  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): void {
    this.#write(key, value);
    this.#writes.push((op) => op.set(key, value, options));
  }

  /** Deletes a key. */
  delete(key: Deno.KvKey): void {
    this.#write(key, undefined);
    this.#writes.push((op) => op.delete(key));
  }

  /** Adds to a counter; counters only grow, a falling number keeps a second one. */
  sum(key: Deno.KvKey, amount: bigint): void {
    addSum(this.#sums, JSON.stringify(key), { key, amount });
  }

  /** Logs a public change; `payload` goes to listeners of this process only. */
  change(entry: Omit<Change, "id" | "at">, payload?: unknown): void {
    const at = this.store.clock.now();
    const change: Change = { ...entry, id: createLogId(at), at };
    const key = storeKeys.change(change.id);
    if (this.#marker === null) {
      const voidValue: Change = { ...change, kind: "site", slug: "storage", event: "voided" };
      this.#marker = { key, value: change, voidValue };
    } else this.set(key, change);
    this.notices.push({ type: "change", change, payload });
  }

  /** Logs a step of a counter. */
  pulse(entry: Omit<Pulse, "id" | "at">): void {
    const at = this.store.clock.now();
    const pulse: Pulse = { ...entry, id: createLogId(at), at };
    this.#pulses.push(pulse);
    this.notices.push({ type: "pulse", pulse });
  }

  /** Ends the try. */
  seal(): Sealed {
    if (this.#marker !== null || this.#pulses.length > 0) this.sum([...storeKeys.revision], 1n);
    else {
      const key = storeKeys.marker(createLogId(this.store.clock.now()));
      this.#marker = { key, value: true, voidValue: false, expireIn: MARKER_TTL_MS };
    }
    return {
      checks: this.#checks,
      written: this.#written,
      writes: this.#writes,
      sums: this.#sums,
      pulses: this.#pulses,
      marker: this.#marker,
      shared: null,
      underWay: new Set(),
    };
  }

  #write(key: Deno.KvKey, value: unknown): void {
    const id = JSON.stringify(key);
    this.#written.add(id);
    // Sums are done last; what was added before this is gone with it.
    this.#sums.delete(id);
    if (this.recalled.has(id)) this.values.set(id, value);
  }
}

/** The entry of the log that carries steps of counters, as a rule under the id of the first. */
export function pulseEntry(pulses: readonly Pulse[], id = pulses[0]!.id): Marker {
  return { key: storeKeys.pulse(id), value: pulses, voidValue: [], expireIn: PULSE_TTL_MS };
}

/** The marker of a transaction that is committed alone. */
export function ownMarker({ marker, pulses }: Sealed): Marker {
  return marker ?? pulseEntry(pulses);
}

/** Adds to what is added to a counter already. */
export function addSum(sums: Map<string, Sum>, id: string, { key, amount }: Sum): void {
  sums.set(id, { key, amount: (sums.get(id)?.amount ?? 0n) + amount });
}

/** The number in a counter's entry (absent is 0). */
export function counterValue(entry: Deno.KvEntryMaybe<unknown>): number {
  return entry.value === null ? 0 : Number((entry.value as Deno.KvU64).value);
}
