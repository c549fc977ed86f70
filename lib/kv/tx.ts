import { DAY_MS, HOUR_MS } from "../clock.ts";
import { lifetimeOf, LIFETIMES } from "../lifetimes.ts";
import { storeKeys } from "./keys.ts";
import { createLogId } from "./log_id.ts";
import type { Store } from "./store.ts";

/** An entry in the permanent log of public changes. Hidden records are published as tombstones. */
export interface Change {
  id: string;
  kind: "listing" | "skill" | "site";
  /**
   * The slug of the listing or skill, or for `site`, what changed (the poll, the guestbook, ...).
   */
  slug: string;
  event: string;
  /** ms since the epoch. */
  at: number;
  /** The change in words, if the event doesn't say it. */
  note?: string;
}

/** A counter step. A short-lived log carries it to other processes. */
export interface Pulse {
  id: string;
  kind: "vote" | "click" | "skill_vote" | "skill_copy" | "check_in" | "ballot" | "link";
  /** The slug of the listing or skill; for a check-in, the key of the agent's name. */
  slug: string;
  /** 0 for `link`: the listing's link was checked. */
  delta: number;
  /**
   * When it happened (ms). Votes held or released by the operator keep the original vote's time.
   */
  at: number;
}

/**
 * What this process's listeners get after a commit. `payload` is data the writer had at hand.
 * `foreign` means the listener must reread the record: another process wrote it (reported up to a
 * second late, without a payload), or it landed here at an unknown time.
 */
export type News =
  | { type: "change"; change: Change; payload?: unknown; foreign?: true }
  | { type: "pulse"; pulse: Pulse; foreign?: true };

/**
 * How long to keep an entry with only clicks. Only other processes read it, within minutes. A
 * process that was away longer reads the count with the next click. One network can click 1,000
 * times an hour, so a day of clicks could fill gigabytes.
 */
const CLICKS_TTL_MS = HOUR_MS;

/**
 * How long to keep a void marker: long, since a network can deliver a delayed request to a KV
 * server much later.
 */
export const VOID_TTL_MS = DAY_MS;

/**
 * A key that a commit writes and checks to be absent, so the transaction lands at most once. Its
 * value then says if the transaction landed or was voided. It is the first log entry, if there is
 * one. See `docs/decisions/transactions_with_markers.md`.
 */
export interface Marker {
  key: Deno.KvKey;
  value: unknown;
  /** The value after the transaction was voided. Log readers skip it. */
  voidValue: unknown;
  expireIn?: number;
}

/** How a transaction, or a group of them, uses one key. */
export interface KeyUse {
  readonly key: Deno.KvKey;
  /** The versionstamp to check for (null means absent); undefined for no check. */
  versionstamp?: string | null;
  write: "set" | "delete" | null;
  /** The value to set. */
  value?: unknown;
  expireIn?: number;
  /** The amount to add, after any write. */
  sum: bigint;
}

/** The use of each key, by `keyId`. */
export type KeyUses = ReadonlyMap<string, Readonly<KeyUse>>;

/** A key as text. */
export function keyId(key: Deno.KvKey): string {
  return JSON.stringify(key);
}

/** A transaction ready to commit, alone or in a group. */
export interface Sealed {
  uses: KeyUses;
  marker: Marker;
  /** Commits we stopped waiting for that KV hasn't answered yet. */
  underWay: Set<Promise<unknown>>;
}

/** The reads and writes of one attempt at a transaction. Only `Store.transact` makes one. */
export class Tx {
  readonly news: News[] = [];
  readonly #uses = new Map<string, KeyUse>();
  readonly #pulses: Pulse[] = [];
  #marker: Marker | null = null;

  constructor(readonly store: Store) {}

  /** True if there is anything to write. */
  get isWriting(): boolean {
    return this.#pulses.length > 0 || this.#written().length > 0;
  }

  /** Reads a key. The commit fails if the key changes before it. */
  async get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    const entry = await this.store.get<T>(key);
    this.check(entry);
    return entry;
  }

  /** Reads keys. The commit fails if any of them changes before it. */
  async getMany<T>(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<T>[]> {
    const entries = await this.store.getMany<T>(keys);
    for (const entry of entries) this.check(entry);
    return entries;
  }

  /** Reads a key without a check at commit. */
  peek<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return this.store.get<T>(key);
  }

  /**
   * Adds a commit check for an entry read earlier. If a key was read twice, the first read counts.
   */
  check({ key, versionstamp }: Deno.AtomicCheck): void {
    const use = this.#use(key);
    if (use.versionstamp === undefined) use.versionstamp = versionstamp;
  }

  /**
   * Writes a value. If the expiry matters, store it in the value too: `expireIn` (ms) can be up to
   * a minute late.
   */
  set(key: Deno.KvKey, value: unknown, { expireIn }: { expireIn?: number } = {}): void {
    // Earlier sums are dropped with the old value.
    Object.assign(this.#use(key), { write: "set", value, expireIn, sum: 0n });
  }

  /** Writes a value that expires, as `LIFETIMES` says for its key. */
  setExpiring(key: Deno.KvKey, value: unknown): void {
    const expireIn = lifetimeOf(key);
    if (expireIn === undefined) throw new Error(`No lifetime for ${String(key[0])}`);
    this.set(key, value, { expireIn });
  }

  /** Deletes a key. */
  delete(key: Deno.KvKey): void {
    Object.assign(this.#use(key), { write: "delete", value: undefined, sum: 0n });
  }

  /** Adds to a counter. Counters only grow; a number that can fall is a pair of counters. */
  sum(key: Deno.KvKey, amount: bigint): void {
    this.#use(key).sum += amount;
  }

  /** Logs a public change. Only this process's listeners get `payload`. */
  change(entry: Omit<Change, "id" | "at">, payload?: unknown): void {
    const at = this.store.clock.now();
    const change: Change = { ...entry, id: createLogId(at), at };
    const voidValue: Change = { ...change, kind: "site", slug: "storage", event: "voided" };
    this.#append({ key: storeKeys.change(change.id), value: change, voidValue });
    this.news.push({ type: "change", change, payload });
  }

  /** Logs a counter step that happened at `at` (ms), by default now. */
  pulse(entry: Omit<Pulse, "id" | "at">, at?: number): void {
    const now = this.store.clock.now();
    const pulse: Pulse = { ...entry, id: createLogId(now), at: at ?? now };
    this.#pulses.push(pulse);
    this.news.push({ type: "pulse", pulse });
  }

  /** Closes the transaction and returns it ready to commit. */
  seal(): Sealed {
    if (this.news.length > 0) this.sum(storeKeys.revision, 1n);
    if (this.#pulses.length > 0) this.#append(pulseEntry(this.#pulses));
    const key = storeKeys.marker(createLogId(this.store.clock.now()));
    const value = this.#written();
    this.#append({ key, value, voidValue: false, expireIn: LIFETIMES.markers });
    return { uses: this.#uses, marker: this.#marker!, underWay: new Set() };
  }

  /** Writes an entry under a new key. The first one is the transaction's marker. */
  #append(entry: Marker): void {
    if (this.#marker === null) this.#marker = entry;
    else this.set(entry.key, entry.value, entry);
  }

  /** The keys to write or add to. */
  #written(): Deno.KvKey[] {
    const uses = this.#uses.values().filter(({ write, sum }) => write !== null || sum !== 0n);
    return [...uses, ...(this.#marker === null ? [] : [this.#marker])].map(({ key }) => key);
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

/** The log entry for a transaction's counter steps. */
function pulseEntry(pulses: readonly Pulse[]): Marker {
  const areClicks = pulses.every(({ kind }) => kind === "click");
  const expireIn = areClicks ? CLICKS_TTL_MS : LIFETIMES.pulses;
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
