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
}

/** A step of a counter. A short-lived log carries it to other processes. */
export interface Pulse {
  id: string;
  kind: "vote" | "click" | "skill_vote" | "skill_copy" | "check_in" | "ballot";
  /** The slug of the listing or skill; for a check-in or ballot, the key of the agent's name. */
  slug: string;
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

/**
 * How long a pulse is kept: a day, for the vote velocity, and an hour of grace. Lists of a day's
 * voters expire at the same time because SQLite's index of expiry is in order of time, so both then
 * stand on one page of it.
 */
export const PULSE_TTL_MS = 25 * HOUR_MS;

/**
 * How long an entry of clicks alone is kept. Only other processes read it, within minutes; one that
 * was away for longer reads the count with the next click. One network may visit each listing 250
 * times an hour, so the clicks of a day could fill gigabytes.
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
 * A key that a commit writes and checks to be absent, so that the commit lands at most once.
 * Afterwards its value tells what became of the transactions that it stands for: they landed, or
 * were voided.
 */
export interface Marker {
  key: Deno.KvKey;
  value: unknown;
  /** The value that it holds when the transactions were given up. Readers of the log skip it. */
  voidValue: unknown;
  expireIn?: number;
}

/** The entry of a key that is assumed to be absent. */
const ABSENT = { value: null, versionstamp: null };

/** What a transaction, or a group of them, does with one key. */
export interface KeyUse {
  readonly key: Deno.KvKey;
  /** The key as JSON. */
  readonly id: string;
  /**
   * The versionstamp that the key must have (null means absent); undefined if it is not checked.
   */
  versionstamp: string | null | undefined;
  /**
   * Whether its value was taken from memory or assumed instead of read. The commit's check then
   * decides.
   */
  isRecalled: boolean;
  /** Whether the value that the commit gives it is kept in memory. */
  isRemembered: boolean;
  write: "set" | "delete" | null;
  /** What is set. */
  value: unknown;
  expireIn: number | undefined;
  /** The amount added to it, after any write. */
  sum: bigint;
}

/**
 * One entry for each key. They are few and searched one by one: a `Map` costs more, because V8
 * copies each new string that is looked up into its table of names.
 */
export type KeyUses = readonly Readonly<KeyUse>[];

/** The use of a key (given as JSON), or undefined. */
export function useOf<U extends Readonly<KeyUse>>(uses: readonly U[], id: string): U | undefined {
  for (const use of uses) if (use.id === id) return use;
  return undefined;
}

/** A transaction ready to commit, alone or together with others. */
export interface Sealed {
  uses: KeyUses;
  /** How many keys it checks. */
  checks: number;
  /** How many keys it sets or deletes. */
  writes: number;
  /** Its steps of counters. They go into one log entry, which the members of a group share. */
  pulses: readonly Pulse[];
  /** Its own marker. Null if the log entry of its pulses serves as the marker. */
  marker: Marker | null;
  /**
   * The marker of the group in which it was committed, while the outcome of that is unknown; else
   * null.
   */
  shared: Marker | null;
  /** Its commits that we have stopped waiting for and that KV has not answered yet. */
  underWay: Promise<unknown>[];
}

/** A key that `Tx.recall` may take from memory instead of reading it. */
export interface Recall {
  key: Deno.KvKey;
  /** What the caller knows of it, used if this process has not seen it. */
  entry?: Pick<Deno.KvEntry<unknown>, "value" | "versionstamp">;
  /** Whether it is assumed absent if nothing is known of it, instead of read. */
  orAbsent?: boolean;
  /**
   * Whether to remember what the commit writes to it, because it is likely to be asked for again.
   */
  remember?: boolean;
}

/** The reads and writes of one try of a transaction; made by `Store.transact` alone. */
export class Tx {
  readonly notices: Notice[] = [];
  /** The term (`Store.term`) in which it landed, or null. */
  term: number | null = null;
  readonly #uses: KeyUse[] = [];
  #checks = 0;
  #writes = 0;
  #hasSums = false;
  readonly #pulses: Pulse[] = [];
  #marker: Marker | null = null;

  constructor(readonly store: Store, private readonly mayRecall = false) {}

  /** What it does with each key that it checks or writes. */
  get uses(): KeyUses {
    return this.#uses;
  }

  /** Whether anything is to be written. */
  get isWriting(): boolean {
    return this.#writes > 0 || this.#hasSums || this.#pulses.length > 0 || this.#marker !== null;
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

  /**
   * Takes each key's entry from what this process saw last, else from what the caller knows, else
   * assumes it absent where that is allowed, else reads it. The commit checks every one of them. If
   * one was wrong, the transaction runs again on real reads. This is cheap where the answer is
   * nearly always known beforehand, such as that a voter is new. Only for values that JSON can
   * express.
   */
  async recall(recalls: readonly Recall[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    const { memory } = this.store;
    if (!this.mayRecall) {
      return memory.keep(await this.getMany<unknown>(recalls.map(({ key }) => key)));
    }
    const known = recalls.map(({ key, entry, orAbsent }) =>
      memory.known(this.#use(key).id) ?? entry ?? (orAbsent ? ABSENT : undefined)
    );
    const missing = recalls.filter((_, i) => known[i] === undefined).map(({ key }) => key);
    const read = missing.length > 0 ? memory.keep(await this.store.getMany<unknown>(missing)) : [];
    return recalls.map(({ key, remember = false }, i) => {
      const { value, versionstamp } = known[i] ?? read.shift()!;
      const use = this.#use(key);
      use.isRecalled = true;
      use.isRemembered = remember;
      this.check({ key, versionstamp });
      return { key, value, versionstamp } as Deno.KvEntryMaybe<unknown>;
    });
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
    if (use.versionstamp !== undefined) return;
    use.versionstamp = versionstamp;
    this.#checks++;
  }

  /**
   * Writes a value. An expiry that matters must also stand in the value, since `expireIn` (ms) is
   * late by up to a minute.
   */
  set(key: Deno.KvKey, value: unknown, { expireIn }: { expireIn?: number } = {}): void {
    const use = this.#written(key);
    use.write = "set";
    use.value = value;
    use.expireIn = expireIn;
  }

  /** Deletes a key. */
  delete(key: Deno.KvKey): void {
    const use = this.#written(key);
    use.write = "delete";
    use.value = undefined;
  }

  /** Adds to a counter. Counters only grow; a number that also falls is kept as two counters. */
  sum(key: Deno.KvKey, amount: bigint): void {
    this.#use(key).sum += amount;
    this.#hasSums = true;
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
    if (this.#marker !== null || this.#pulses.length > 0) this.sum(storeKeys.revision, 1n);
    else {
      const key = storeKeys.marker(createLogId(this.store.clock.now()));
      this.#marker = { key, value: true, voidValue: false, expireIn: MARKER_TTL_MS };
    }
    return {
      uses: this.#uses,
      checks: this.#checks,
      writes: this.#writes,
      pulses: this.#pulses,
      marker: this.#marker,
      shared: null,
      underWay: [],
    };
  }

  /**
   * The use of a key that is about to be written. Sums added to it before are dropped with its old
   * value.
   */
  #written(key: Deno.KvKey): KeyUse {
    const use = this.#use(key);
    if (use.write === null) this.#writes++;
    use.sum = 0n;
    return use;
  }

  #use(key: Deno.KvKey): KeyUse {
    // Nearly always this is the same array as before, so that nothing needs to be serialised.
    for (const use of this.#uses) if (use.key === key) return use;
    const id = JSON.stringify(key);
    let use = useOf(this.#uses, id);
    if (use === undefined) {
      use = {
        key,
        id,
        versionstamp: undefined,
        isRecalled: false,
        isRemembered: false,
        write: null,
        value: undefined,
        expireIn: undefined,
        sum: 0n,
      };
      this.#uses.push(use);
    }
    return use;
  }
}

/** The log entry that carries steps of counters, by default under the id of the first. */
export function pulseEntry(pulses: readonly Pulse[], id = pulses[0]!.id): Marker {
  const areClicks = pulses.every(({ kind }) => kind === "click");
  const expireIn = areClicks ? CLICKS_TTL_MS : PULSE_TTL_MS;
  return { key: storeKeys.pulse(id), value: pulses, voidValue: [], expireIn };
}

/** The marker of a transaction that is committed alone. */
export function ownMarker({ marker, pulses }: Sealed): Marker {
  return marker ?? pulseEntry(pulses);
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
