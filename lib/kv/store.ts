import { type Clock, HOUR_MS } from "../clock.ts";
import { DomainError } from "../errors.ts";
import { attempt, isLocked, pause } from "./attempt.ts";
import { storeKeys } from "./keys.ts";
import { createLogId } from "./log_id.ts";

/** What the store needs of Deno.Kv; tests hand in one that fails on demand. */
export type KvLike = Pick<Deno.Kv, "get" | "getMany" | "list" | "atomic" | "close">;

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

/** An entry of the short-lived log that carries counters to other processes. */
export interface Pulse {
  id: string;
  kind: "vote" | "click" | "skill_vote" | "skill_copy";
  slug: string;
  delta: number;
  at: number;
}

/**
 * What listeners in this process hear after a commit; `payload` is what the writer had at hand. `foreign`
 * marks what another process wrote: it comes up to a second late and without a payload.
 */
export type Notice =
  | { type: "change"; change: Change; payload?: unknown; foreign?: true }
  | { type: "pulse"; pulse: Pulse; foreign?: true };

/** How long a pulse stays: a day of vote velocity, and an hour of grace. */
export const PULSE_TTL_MS = 25 * HOUR_MS;

const MAX_TRIES = 8;
const MARKER_TTL_MS = 60_000;
const GET_MANY_MAX = 10;

/** How a transaction behaves where it meets others. */
export interface TransactOptions {
  /** The code thrown when every try met a conflict. */
  conflict?: "storage_unavailable" | "busy";
  /** Transactions of this process with the same queue run one after another instead of colliding. */
  queue?: string;
}

/**
 * The only door to Deno KV: reads with a deadline, and writes as checked transactions.
 * Any failure of KV becomes `storage_unavailable`.
 */
export class Store {
  readonly #listeners = new Set<(notice: Notice) => void>();
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(readonly kv: KvLike, readonly clock: Clock) {}

  /** Reads one key, strongly consistent. */
  get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return read(() => this.kv.get<T>(key));
  }

  /** Reads any number of keys, in batches of what KV allows. */
  async getMany<T>(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<T>[]> {
    const entries: Deno.KvEntryMaybe<T>[] = [];
    for (let i = 0; i < keys.length; i += GET_MANY_MAX) {
      const batch = keys.slice(i, i + GET_MANY_MAX);
      entries.push(...await read(() => this.kv.getMany<T[]>(batch)) as Deno.KvEntryMaybe<T>[]);
    }
    return entries;
  }

  /** Iterates over a range; not a snapshot: entries written meanwhile may or may not be among them. */
  async *list<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): AsyncGenerator<Deno.KvEntry<T>> {
    try {
      yield* this.kv.list<T>(selector, { batchSize: 500, ...options });
    } catch (cause) {
      throw new DomainError("storage_unavailable", undefined, { cause });
    }
  }

  /**
   * Runs `body` and commits what it wrote in one atomic operation that checks what it read.
   * A conflict runs `body` again on fresh reads (at most 8 times); a commit of unknown outcome is repeated
   * behind its own marker, so it takes effect once. Throws what `body` throws, or `options.conflict`.
   */
  async transact<T>(body: (tx: Tx) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    if (options.queue !== undefined) {
      const { queue, ...rest } = options;
      return await this.#enqueue(queue, () => this.transact(body, rest));
    }
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (tries > 0) await pause(tries);
      const tx = new Tx(this);
      const result = await body(tx);
      if (!tx.writes || await this.#commit(tx)) {
        for (const notice of tx.notices) this.notify(notice);
        return result;
      }
    }
    throw new DomainError(options.conflict ?? "storage_unavailable", undefined, {
      headers: { "Retry-After": "1" },
    });
  }

  /** Calls `listener` after each commit of this process with what it logged; returns the way to stop. */
  subscribe(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hands a notice to the listeners of this process. */
  notify(notice: Notice): void {
    for (const listener of this.#listeners) listener(notice);
  }

  /** Closes the database. */
  close(): void {
    this.kv.close();
  }

  /** True when committed, false when a check failed for good. */
  async #commit(tx: Tx): Promise<boolean> {
    const { operation, marker } = tx.seal(this.kv);
    let unknown = false;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (tries > 0) await pause(tries);
      try {
        const { ok } = await attempt(() => operation.commit());
        if (ok || !unknown) return ok;
        // An earlier try may have been the one that landed: only its marker can tell.
        return (await read(() => this.kv.get(marker))).versionstamp !== null;
      } catch (error) {
        if (isRefusal(error)) throw error;
        if (!isLocked(error)) unknown = true;
      }
    }
    if (unknown && (await read(() => this.kv.get(marker))).versionstamp !== null) return true;
    throw unavailable();
  }

  async #enqueue<T>(queue: string, run: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(queue);
    const turn = before === undefined ? run() : before.then(run, run);
    this.#queues.set(queue, turn);
    try {
      return await turn;
    } finally {
      if (this.#queues.get(queue) === turn) this.#queues.delete(queue);
    }
  }
}

/** The reads and writes of one try of a transaction; made by `Store.transact` alone. */
export class Tx {
  readonly notices: Notice[] = [];
  readonly #checks = new Map<string, Deno.AtomicCheck>();
  readonly #writes: ((op: Deno.AtomicOperation) => void)[] = [];
  #marker: Deno.KvKey | undefined;

  constructor(readonly store: Store) {}

  /** Whether anything is to be written. */
  get writes(): boolean {
    return this.#writes.length > 0;
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
    entries.forEach((entry) => this.check(entry));
    return entries;
  }

  /** Reads a key on which the commit does not depend. */
  peek<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return this.store.get<T>(key);
  }

  /** Makes the commit depend on an entry that was read before. */
  check(entry: Deno.AtomicCheck): void {
    this.#checks.set(JSON.stringify(entry.key), {
      key: entry.key,
      versionstamp: entry.versionstamp,
    });
  }

  /** Writes a value; an expiry that matters belongs into the value too, since `expireIn` is late. */
  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): void {
    this.#writes.push((op) => op.set(key, value, options));
  }

  /** Deletes a key. */
  delete(key: Deno.KvKey): void {
    this.#writes.push((op) => op.delete(key));
  }

  /** Adds to a counter; counters only grow, a falling number keeps a second one. */
  sum(key: Deno.KvKey, amount: bigint): void {
    this.#writes.push((op) => op.sum(key, amount));
  }

  /** Logs a public change; `payload` goes to listeners of this process only. */
  change(entry: Omit<Change, "id" | "at">, payload?: unknown): void {
    const at = this.store.clock.now();
    const change: Change = { ...entry, id: createLogId(at), at };
    this.#log(storeKeys.change(change.id), change);
    this.notices.push({ type: "change", change, payload });
  }

  /** Logs a step of a counter. */
  pulse(entry: Omit<Pulse, "id" | "at">): void {
    const at = this.store.clock.now();
    const pulse: Pulse = { ...entry, id: createLogId(at), at };
    this.#log(storeKeys.pulse(pulse.id), pulse, PULSE_TTL_MS);
    this.notices.push({ type: "pulse", pulse });
  }

  /** Makes the atomic operation. Its marker, new and checked as absent, lets it land only once. */
  seal(kv: KvLike): { operation: Deno.AtomicOperation; marker: Deno.KvKey } {
    if (this.#marker === undefined) {
      this.#marker = storeKeys.marker(createLogId(this.store.clock.now()));
      this.set(this.#marker, true, { expireIn: MARKER_TTL_MS });
    } else {
      this.sum([...storeKeys.revision], 1n);
    }
    const operation = kv.atomic();
    operation.check(...this.#checks.values(), { key: this.#marker, versionstamp: null });
    for (const write of this.#writes) write(operation);
    return { operation, marker: this.#marker };
  }

  #log(key: Deno.KvKey, value: unknown, expireIn?: number): void {
    this.#marker ??= key;
    this.set(key, value, expireIn === undefined ? undefined : { expireIn });
  }
}

/** The number in a counter's entry (absent is 0). */
export function counterValue(entry: Deno.KvEntryMaybe<unknown>): number {
  return entry.value === null ? 0 : Number((entry.value as Deno.KvU64).value);
}

async function read<T>(operation: () => Promise<T>): Promise<T> {
  for (let tries = 0;; tries++) {
    try {
      return await attempt(operation);
    } catch (cause) {
      if (isRefusal(cause)) throw cause;
      if (tries >= 3) throw unavailable(cause);
      await pause(tries + 1);
    }
  }
}

/** A mistake of ours that no retry mends: a key or value past KV's limits. */
function isRefusal(error: unknown): boolean {
  return error instanceof TypeError &&
    /too (large|long|many)|exceed|non-empty/i.test(error.message);
}

function unavailable(cause?: unknown): DomainError {
  return new DomainError("storage_unavailable", undefined, {
    cause,
    headers: { "Retry-After": "2" },
  });
}
