import { DAY_MS, HOUR_MS, MINUTE_MS } from "../clock.ts";
import { storeKeys } from "./keys.ts";
import { createLogId } from "./log_id.ts";
import type { Store } from "./store.ts";

/** An entry of the permanent log of public changes. Hidden records are published as tombstones. */
export interface Change {
  id: string;
  kind: "listing" | "skill" | "site";
  /** The slug of the listing or skill; for `site`, what changed (the poll, the guestbook, ...). */
  slug: string;
  event: string;
  /** ms since the epoch. */
  at: number;
  /** What the change was, in words, where the event does not say it. */
  note?: string;
}

/** A step of a counter. A short-lived log carries it to other processes. */
export interface Pulse {
  id: string;
  kind: "vote" | "click" | "skill_vote" | "skill_copy" | "check_in" | "ballot" | "link";
  /** The slug of the listing or skill; for a check-in or ballot, the key of the agent's name. */
  slug: string;
  /** 0 for `link`: the listing's link was looked at. */
  delta: number;
  /** When it happened (ms). Votes that the operator holds or releases keep the time of the vote. */
  at: number;
}

/**
 * What listeners of this process are told after a commit. `payload` is the data that the writer had
 * at hand. `foreign` means that the listener must read the record again: another process wrote it
 * (that is told up to a second late and without a payload), or it landed here at an unknown time.
 */
export type Notice =
  | { type: "change"; change: Change; payload?: unknown; foreign?: true }
  | { type: "pulse"; pulse: Pulse; foreign?: true };

/** How long a pulse is kept: a day, for the vote velocity, and an hour of grace. */
export const PULSE_TTL_MS = 25 * HOUR_MS;

/**
 * How long an entry of clicks alone is kept. Only other processes read it, within minutes; one that
 * was away for longer reads the count with the next click. One network may click 1,000 times an hour,
 * so the clicks of a day could fill gigabytes.
 */
const CLICKS_TTL_MS = HOUR_MS;

/**
 * How long the marker of a commit is kept. It must be longer than a commit is tried and asked for
 * (`PATIENCE_MS` and `SETTLE_MS`).
 */
const MARKER_TTL_MS = 3 * MINUTE_MS;

/**
 * How long a void marker is kept. It is long because a network may deliver a delayed request to a
 * KV server much later.
 */
export const VOID_TTL_MS = DAY_MS;

/**
 * A key that a commit writes and checks to be absent, so that the transaction lands at most once.
 * Afterwards its value tells whether the transaction landed or was voided.
 */
export interface Marker {
  key: Deno.KvKey;
  value: unknown;
  /** The value it has after the transaction was given up. Readers of the log skip it. */
  voidValue: unknown;
  expireIn?: number;
}

/** What a transaction, or a group of them, does with one key. */
export interface KeyUse {
  readonly key: Deno.KvKey;
  /**
   * The versionstamp that the key must have (null means absent); undefined if it is not checked.
   */
  versionstamp?: string | null;
  write: "set" | "delete" | null;
  /** What is set. */
  value?: unknown;
  expireIn?: number;
  /** The amount added to it, after any write. */
  sum: bigint;
}

/** What is done with each key, by `keyId`. */
export type KeyUses = ReadonlyMap<string, Readonly<KeyUse>>;

/** A key as text. */
export function keyId(key: Deno.KvKey): string {
  return JSON.stringify(key);
}

/** A transaction ready to commit, alone or together with others. */
export interface Sealed {
  uses: KeyUses;
  marker: Marker;
  /** Its commits that we have stopped waiting for and that KV has not answered yet. */
  underWay: Set<Promise<unknown>>;
}

/** The reads and writes of one try of a transaction; made by `Store.transact` alone. */
export class Tx {
  readonly notices: Notice[] = [];
  readonly #uses = new Map<string, KeyUse>();
  readonly #pulses: Pulse[] = [];
  #marker: Marker | null = null;

  constructor(readonly store: Store) {}

  /** Whether anything is to be written. */
  get isWriting(): boolean {
    const isWritten = ({ write, sum }: KeyUse) => write !== null || sum !== 0n;
    return this.#marker !== null || this.#pulses.length > 0 || this.#uses.values().some(isWritten);
  }

  /** Reads a key. The commit fails if it has changed by then. */
  async get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    const entry = await this.store.get<T>(key);
    this.check(entry);
    return entry;
  }

  /** Reads keys. The commit fails if one of them has changed by then. */
  async getMany<T>(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<T>[]> {
    const entries = await this.store.getMany<T>(keys);
    for (const entry of entries) this.check(entry);
    return entries;
  }

  /** Reads a key without checking it at the commit. */
  peek<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return this.store.get<T>(key);
  }

  /**
   * Has the commit check an entry that was read before. Of two reads of one key, the first counts.
   */
  check({ key, versionstamp }: Deno.AtomicCheck): void {
    const use = this.#use(key);
    if (use.versionstamp === undefined) use.versionstamp = versionstamp;
  }

  /**
   * Writes a value. An expiry that matters must also be part of the value, since `expireIn` (ms) is
   * late by up to a minute.
   */
  set(key: Deno.KvKey, value: unknown, { expireIn }: { expireIn?: number } = {}): void {
    // Sums that were added before are dropped with the old value.
    Object.assign(this.#use(key), { write: "set", value, expireIn, sum: 0n });
  }

  /** Deletes a key. */
  delete(key: Deno.KvKey): void {
    Object.assign(this.#use(key), { write: "delete", value: undefined, sum: 0n });
  }

  /** Adds to a counter. Counters only grow; a number that also falls is kept as two counters. */
  sum(key: Deno.KvKey, amount: bigint): void {
    this.#use(key).sum += amount;
  }

  /** Logs a public change. `payload` is handed to the listeners of this process only. */
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

  /** Logs a step of a counter, which happened at `at` (ms), by default now. */
  pulse(entry: Omit<Pulse, "id" | "at">, at?: number): void {
    const now = this.store.clock.now();
    const pulse: Pulse = { ...entry, id: createLogId(now), at: at ?? now };
    this.#pulses.push(pulse);
    this.notices.push({ type: "pulse", pulse });
  }

  /** Closes the transaction and returns what is to be committed. */
  seal(): Sealed {
    if (this.notices.length > 0) this.sum(storeKeys.revision, 1n);
    const pulses = this.#pulses.length === 0 ? null : pulseEntry(this.#pulses);
    if (pulses !== null && this.#marker !== null) this.set(pulses.key, pulses.value, pulses);
    const marker = this.#marker ?? pulses ?? {
      key: storeKeys.marker(createLogId(this.store.clock.now())),
      value: true,
      voidValue: false,
      expireIn: MARKER_TTL_MS,
    };
    return { uses: this.#uses, marker, underWay: new Set() };
  }

  #use(key: Deno.KvKey): KeyUse {
    const id = keyId(key);
    let use = this.#uses.get(id);
    if (use === undefined) {
      use = { key, write: null, sum: 0n };
      this.#uses.set(id, use);
    }
    return use;
  }
}

/** The log entry of a transaction's steps of counters. */
function pulseEntry(pulses: readonly Pulse[]): Marker {
  const areClicks = pulses.every(({ kind }) => kind === "click");
  const expireIn = areClicks ? CLICKS_TTL_MS : PULSE_TTL_MS;
  return { key: storeKeys.pulse(pulses[0]!.id), value: pulses, voidValue: [], expireIn };
}

/** The number in a counter's entry (absent is 0). */
export function counterValue(entry: Deno.KvEntryMaybe<unknown>): number {
  return entry.value === null ? 0 : Number((entry.value as Deno.KvU64).value);
}

/** The number in a pair of counters: the first counts up, the second counts down. */
export function pairValue(
  up: Deno.KvEntryMaybe<unknown>,
  down: Deno.KvEntryMaybe<unknown>,
): number {
  return counterValue(up) - counterValue(down);
}
