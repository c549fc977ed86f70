import { DAY_MS, HOUR_MS, MINUTE_MS } from "../clock.ts";
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

/**
 * How long a pulse stays: a day of vote velocity, and an hour of grace. Lists of a day's voters end with it: SQLite
 * orders what expires by time, so that one page of its index holds both.
 */
export const PULSE_TTL_MS = 25 * HOUR_MS;

/** How long the marker of a commit stays: longer than a commit is tried and asked for (`PATIENCE_MS`, `SETTLE_MS`). */
const MARKER_TTL_MS = 3 * MINUTE_MS;

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

/** What a transaction, or a group of them, does with a key. */
export interface KeyUse {
  readonly key: Deno.KvKey;
  /** The key as JSON. */
  readonly id: string;
  /** The versionstamp that it must have (null: be absent); undefined where nothing rests on that. */
  versionstamp: string | null | undefined;
  /** Whether what it holds was taken from memory or assumed instead of read; the commit's check holds it. */
  isRecalled: boolean;
  /** Whether what the commit makes of it is to be kept in memory. */
  isRemembered: boolean;
  write: "set" | "delete" | null;
  /** What is set. */
  value: unknown;
  expireIn: number | undefined;
  /** What is added to it, once it is written. */
  sum: bigint;
}

/**
 * One of each key. They are few, and gone through to find one: a `Map` costs more, since V8 copies each string that
 * is looked up in one, new as all of these are, into the table of its names.
 */
export type KeyUses = readonly Readonly<KeyUse>[];

/** What is done with a key (as JSON); undefined for nothing. */
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
  /** Its steps of counters: one entry of the log, also with those of others. */
  pulses: readonly Pulse[];
  /** Its own marker; null where the entry of its pulses is it, alone or in a group. */
  marker: Marker | null;
  /** The marker of the group in which it was committed with an outcome that is not known; else null. */
  shared: Marker | null;
  /** Its commits that nobody waits for any longer, until KV answers them. */
  underWay: Promise<unknown>[];
}

/** A key to recall. */
export interface Recall {
  key: Deno.KvKey;
  /** What the caller knows of it, where this process has not seen it. */
  entry?: Pick<Deno.KvEntry<unknown>, "value" | "versionstamp">;
  /** Whether it is taken for absent where nothing is known of it, instead of read. */
  orAbsent?: boolean;
  /** Whether what the commit makes of it is to be remembered: it will be asked for again as a rule. */
  remember?: boolean;
}

/** The reads and writes of one try of a transaction; made by `Store.transact` alone. */
export class Tx {
  readonly notices: Notice[] = [];
  /** The term (`Store.term`) in which it has landed, if in one. */
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
   * Takes keys on which the commit depends for what this process saw last, for what the caller says, or for absent
   * where that may be assumed; else reads them. Where that is wrong a check fails, and the transaction runs again
   * on real reads: cheap where almost every answer is known beforehand, such as that a voter is new.
   * Only for values that JSON can say.
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

  /** Reads a key on which the commit does not depend. */
  peek<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return this.store.get<T>(key);
  }

  /** Makes the commit depend on an entry that was read before; of two reads of a key, on the first. */
  check({ key, versionstamp }: Deno.AtomicCheck): void {
    const use = this.#use(key);
    if (use.versionstamp !== undefined) return;
    use.versionstamp = versionstamp;
    this.#checks++;
  }

  /** Writes a value; an expiry that matters belongs into the value too, since `expireIn` is late. */
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

  /** Adds to a counter; counters only grow, a falling number keeps a second one. */
  sum(key: Deno.KvKey, amount: bigint): void {
    this.#use(key).sum += amount;
    this.#hasSums = true;
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

  /** The use of a key that is written; what was added to it before is gone with what it held. */
  #written(key: Deno.KvKey): KeyUse {
    const use = this.#use(key);
    if (use.write === null) this.#writes++;
    use.sum = 0n;
    return use;
  }

  #use(key: Deno.KvKey): KeyUse {
    // Mostly the very key that was used before.
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

/** The entry of the log that carries steps of counters, as a rule under the id of the first. */
export function pulseEntry(pulses: readonly Pulse[], id = pulses[0]!.id): Marker {
  return { key: storeKeys.pulse(id), value: pulses, voidValue: [], expireIn: PULSE_TTL_MS };
}

/** The marker of a transaction that is committed alone. */
export function ownMarker({ marker, pulses }: Sealed): Marker {
  return marker ?? pulseEntry(pulses);
}

/** The number in a counter's entry (absent is 0). */
export function counterValue(entry: Deno.KvEntryMaybe<unknown>): number {
  return entry.value === null ? 0 : Number((entry.value as Deno.KvU64).value);
}
