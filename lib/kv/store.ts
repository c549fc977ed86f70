import type { Clock } from "../clock.ts";
import { DomainError } from "../errors.ts";
import {
  attempt,
  isLocked,
  isRefusal,
  OPERATION_DEADLINE_MS,
  PATIENCE_MS,
  pause,
} from "./attempt.ts";
import { GroupCommit } from "./group_commit.ts";
import { GET_MANY_MAX, GroupRead } from "./group_read.ts";
import { Memory } from "./memory.ts";
import { MARKER_TTL_MS, type Notice, type Sealed, Tx } from "./tx.ts";

export { type Change, counterValue, type Notice, type Pulse, PULSE_TTL_MS, Tx } from "./tx.ts";

/** What the store needs of Deno.Kv; tests hand in one that fails on demand. */
export type KvLike = Pick<Deno.Kv, "get" | "getMany" | "list" | "atomic" | "close">;

const MAX_TRIES = 8;
/** In UTF-16 units; the longest that is written is a slug of 60 or a digest. */
const KEY_PART_MAX = 300;
/** Each conflict means that another writer won; three processes on one document lose two tries in three. */
const CONFLICT_TRIES = 20;
/** After how many conflicts the pause grows no longer (to 32 ms). */
const CONFLICT_PAUSES = 5;
/** How often a commit of unknown outcome is asked for before it counts as not landed. */
const FENCE_TRIES = 16;

/** How a transaction behaves where it meets others. */
export interface TransactOptions {
  /** The code thrown when every try met a conflict. */
  conflict?: "storage_unavailable" | "busy";
  /** Transactions of this process with the same queue run one after another instead of colliding. */
  queue?: string;
}

/** What tests and the owner of a store may set. */
export interface StoreOptions {
  /** The longest that one KV operation may take, in ms. */
  deadlineMs?: number;
  /** Hears what a listener threw. */
  onListenerError?: (error: unknown) => void;
}

/**
 * The only door to Deno KV: reads with a deadline, and writes as checked transactions.
 * Any failure of KV becomes `storage_unavailable`.
 */
export class Store {
  readonly #listeners = new Set<(notice: Notice) => void>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #deadlineMs: number;
  readonly #commits: GroupCommit;
  readonly #reads: GroupRead;
  /** What this process saw last of keys that transactions recall. */
  readonly memory = new Memory();
  readonly #onListenerError: (error: unknown) => void;

  constructor(readonly kv: KvLike, readonly clock: Clock, options: StoreOptions = {}) {
    this.#deadlineMs = options.deadlineMs ?? OPERATION_DEADLINE_MS;
    this.#commits = new GroupCommit(kv, this.#deadlineMs);
    this.#reads = new GroupRead(kv, this.#deadlineMs);
    this.#onListenerError = options.onListenerError ?? reportError;
  }

  /** Reads one key, strongly consistent. */
  async get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return (await this.getMany<T>([key]))[0]!;
  }

  /** Reads any number of keys, in batches of what KV allows. A key longer than any that is written is absent. */
  async getMany<T>(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<T>[]> {
    if (keys.some(isOverlong)) {
      const found = await this.getMany<T>(keys.filter((key) => !isOverlong(key)));
      return keys.map((key) =>
        isOverlong(key) ? { key, value: null, versionstamp: null } : found.shift()!
      );
    }
    const entries: Deno.KvEntryMaybe<unknown>[] = [];
    for (let i = 0; i < keys.length; i += GET_MANY_MAX) {
      const batch = keys.slice(i, i + GET_MANY_MAX);
      entries.push(...await this.#read(() => this.#reads.getMany(batch)));
    }
    return entries as Deno.KvEntryMaybe<T>[];
  }

  /** As `list`, in arrays of up to `size` entries: where there are many, waiting for each one costs more than it. */
  async *listBatches<T>(
    selector: Deno.KvListSelector,
    size = 500,
  ): AsyncGenerator<Deno.KvEntry<T>[]> {
    let iterator: Deno.KvListIterator<T> | undefined;
    for (;;) {
      let batch: Deno.KvEntry<T>[];
      try {
        const entries = iterator ??= this.kv.list<T>(selector, { batchSize: size });
        batch = await attempt(() => take(entries, size), this.#deadlineMs);
      } catch (cause) {
        throw unavailable(cause);
      }
      if (batch.length > 0) yield batch;
      if (batch.length < size) return;
    }
  }

  /** Iterates over a range; not a snapshot: entries written meanwhile may or may not be among them. */
  async *list<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): AsyncGenerator<Deno.KvEntry<T>> {
    let iterator: Deno.KvListIterator<T> | undefined;
    for (;;) {
      let step: IteratorResult<Deno.KvEntry<T>>;
      try {
        const entries = iterator ??= this.kv.list<T>(selector, { batchSize: 500, ...options });
        step = await attempt(() => entries.next(), this.#deadlineMs);
      } catch (cause) {
        throw unavailable(cause);
      }
      if (step.done) return;
      yield step.value;
    }
  }

  /**
   * Runs `body` and commits what it wrote in one atomic operation that checks what it read.
   * A conflict runs `body` again on fresh reads (at most 20 times); a commit of unknown outcome is repeated
   * behind its own marker, so it takes effect once. Throws what `body` throws, or `options.conflict`.
   */
  transact<T>(body: (tx: Tx) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    const work = this.#transact(body, options);
    this.#underWay.add(work);
    const done = () => this.#underWay.delete(work);
    work.then(done, done);
    return work;
  }

  async #transact<T>(body: (tx: Tx) => Promise<T>, options: TransactOptions): Promise<T> {
    if (options.queue !== undefined) {
      const { queue, ...rest } = options;
      return await this.#enqueue(queue, () => this.#transact(body, rest));
    }
    for (let tries = 0; tries < CONFLICT_TRIES; tries++) {
      if (tries > 0) await pause(Math.min(tries, CONFLICT_PAUSES));
      const tx = new Tx(this, tries === 0);
      let result: T;
      try {
        result = await body(tx);
      } catch (error) {
        // What was refused on recalled data is judged again on real reads.
        if (!this.memory.forget(tx.recalled)) throw error;
        continue;
      }
      if (!tx.writes) {
        if (!this.memory.forget(tx.recalled)) return result;
        continue;
      }
      if (await this.#commit(tx)) {
        for (const notice of tx.notices) this.notify(notice);
        return result;
      }
      this.memory.forget(tx.recalled);
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

  /** Hands a notice to the listeners of this process; one that throws does not undo what is committed. */
  notify(notice: Notice): void {
    for (const listener of this.#listeners) {
      try {
        listener(notice);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  /** Resolves when no transaction is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  /** Closes the database. */
  close(): void {
    this.kv.close();
  }

  /** True when committed, false when a check failed for good. */
  async #commit(tx: Tx): Promise<boolean> {
    const sealed = tx.seal(this.kv);
    const giveUpAt = performance.now() + PATIENCE_MS;
    let unknown = false;
    let cause: unknown;
    for (let tries = 0; tries < MAX_TRIES || (!unknown && isLocked(cause)); tries++) {
      if (tries > 0) await pause(tries);
      try {
        if (tries === 0) {
          const versionstamp = await this.#commits.commit(sealed);
          if (versionstamp !== null) {
            this.memory.learn(tx.values, versionstamp);
            return true;
          }
        } else if ((await attempt(() => sealed.operation.commit(), this.#deadlineMs)).ok) {
          return true;
        }
        // An earlier try may be what made the check fail: one of ours, or one that the client of a KV server
        // repeated by itself when an answer was lost.
        return unknown ? await this.#hasLanded(sealed) : await this.#marker(sealed) === "landed";
      } catch (error) {
        if (isRefusal(error)) throw error;
        cause = error;
        if (!isLocked(error)) unknown = true;
      }
      if (performance.now() > giveUpAt) break;
    }
    if (unknown && await this.#hasLanded(sealed)) return true;
    throw unavailable(cause);
  }

  /**
   * Settles a commit of unknown outcome. The marker is taken by a void entry where it is free, so that a try
   * that is still under way cannot land after we have said that nothing was changed.
   */
  async #hasLanded(sealed: Sealed): Promise<boolean> {
    const { marker, voidValue } = sealed;
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (let tries = 0;; tries++) {
      if (tries > 0) await pause(Math.min(tries, CONFLICT_PAUSES));
      try {
        const fence = this.kv.atomic().check({ key: marker, versionstamp: null })
          .set(marker, voidValue, { expireIn: MARKER_TTL_MS });
        if ((await attempt(() => fence.commit(), this.#deadlineMs)).ok) return false;
      } catch {
        // A full disk refuses the fence too, and still answers what the marker holds.
      }
      const state = await this.#marker(sealed);
      if (state !== "absent") return state === "landed";
      if (tries >= FENCE_TRIES || performance.now() > giveUpAt) return false;
    }
  }

  /** What the marker of a transaction says became of it. */
  async #marker({ marker, voidValue }: Sealed): Promise<"absent" | "void" | "landed"> {
    const { value, versionstamp } = await this.get(marker);
    if (versionstamp === null) return "absent";
    return JSON.stringify(value) === JSON.stringify(voidValue) ? "void" : "landed";
  }

  async #read<T>(operation: () => Promise<T>): Promise<T> {
    for (let tries = 0;; tries++) {
      try {
        return await operation();
      } catch (cause) {
        if (isRefusal(cause)) throw cause;
        if (tries >= 3) throw unavailable(cause);
        await pause(tries + 1);
      }
    }
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

/**
 * Whether a part of a key is longer than anything that names a record: what visitors put into addresses comes
 * as far as this, and KV throws at 2,048 bytes.
 */
function isOverlong(key: Deno.KvKey): boolean {
  return key.some((part) => typeof part === "string" && part.length > KEY_PART_MAX);
}

function unavailable(cause?: unknown): DomainError {
  return new DomainError("storage_unavailable", undefined, {
    cause,
    headers: { "Retry-After": "2" },
  });
}

/** The next entries of an iterator, at most `count`. */
async function take<T>(iterator: AsyncIterator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const step = await iterator.next();
    if (step.done) break;
    taken.push(step.value);
  }
  return taken;
}
