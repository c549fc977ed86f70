import { setImmediate } from "node:timers";
import type { Clock } from "../clock.ts";
import { DomainError } from "../errors.ts";
import { Asker, OPERATION_DEADLINE_MS } from "./attempt.ts";
import { Commits, OutcomeUnknown, SETTLE_MS } from "./commit.ts";
import { CHECKS_MAX, GroupCommit } from "./group_commit.ts";
import { storeKeys } from "./keys.ts";
import { LateNews } from "./late_news.ts";
import { CONFLICT_PAUSES, pause, repeatedRead, unavailable } from "./retry.ts";
import { counterValue, type News, Tx } from "./tx.ts";

export { type Change, counterValue, type News, pairValue, type Pulse, Tx } from "./tx.ts";

/** The part of Deno.Kv that the store uses. Tests pass one that fails on demand. */
export type KvLike = Pick<Deno.Kv, "get" | "getMany" | "list" | "atomic" | "close">;

/**
 * The longest key part we look up, in UTF-16 units. The longest we write is shorter: a 60-character
 * slug or a digest.
 */
const KEY_PART_MAX = 300;
/**
 * Each conflict means another writer won. With three processes on one document, two in three
 * attempts lose: 20 in a row in one of 3,300 writes, 40 in a row in one of 11 million.
 */
const CONFLICT_TRIES = 40;

/** The most keys in one KV read. */
export const GET_MANY_MAX = 10;

/** Batch size for reading a range. Other reads wait during a batch. */
const BATCH = 200;

/** How a transaction handles contention. */
export interface TransactOptions {
  /** The error code if every attempt hit a conflict. */
  conflict?: "storage_unavailable" | "busy";
  /** Transactions in this process with the same queue run one at a time instead of colliding. */
  queue?: string;
}

/** Options for tests and the store's owner. */
interface StoreOptions {
  /** The time limit for one KV operation, in ms. */
  deadlineMs?: number;
  /** The time limit for settling a commit of unknown outcome, in ms. */
  settleMs?: number;
  /** The most checks in one KV operation. */
  checksMax?: number;
  /** True while commits are refused because the disk is full. */
  isFull?: () => boolean;
  /** Called with errors thrown by listeners. */
  onListenerError?: (error: unknown) => void;
}

/**
 * The only door to Deno KV: reads with a deadline, and writes as checked transactions. A KV failure
 * becomes `storage_unavailable`: nothing was written and nothing will be.
 */
export class Store {
  readonly #listeners = new Set<(news: News) => void>();
  /** Running transactions. */
  readonly #running = new Set<Promise<unknown>>();
  /** True once `close` was called: stop retrying. */
  isClosed = false;
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #late: LateNews;
  readonly #asker: Asker;
  readonly #groups: GroupCommit;
  readonly #commits: Commits;
  readonly #isFull: () => boolean;
  readonly #onListenerError: (error: unknown) => void;

  constructor(readonly kv: KvLike, readonly clock: Clock, options: StoreOptions = {}) {
    this.#asker = new Asker(options.deadlineMs ?? OPERATION_DEADLINE_MS);
    this.#groups = new GroupCommit(kv, this.#asker, options.checksMax ?? CHECKS_MAX);
    this.#commits = new Commits(kv, {
      asker: this.#asker,
      groups: this.#groups,
      settleMs: options.settleMs ?? SETTLE_MS,
    });
    this.#late = new LateNews(clock, (body) => this.transact(body));
    this.#isFull = options.isFull ?? (() => false);
    this.#onListenerError = options.onListenerError ?? reportError;
  }

  /** Reads one key, strongly consistent. */
  async get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return (await this.getMany<T>([key]))[0]!;
  }

  /**
   * Reads any number of keys in batches of ten, KV's limit. A key longer than any we write counts
   * as absent.
   */
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
      entries.push(...await repeatedRead(() => this.#asker.ask(() => this.kv.getMany(batch))));
    }
    return entries as Deno.KvEntryMaybe<T>[];
  }

  /** Like `list`, but yields arrays of entries: faster for large ranges. */
  async *listBatches<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): AsyncGenerator<Deno.KvEntry<T>[]> {
    const { batchSize = BATCH } = options;
    let iterator: Deno.KvListIterator<T> | undefined;
    for (;;) {
      let batch: Deno.KvEntry<T>[];
      try {
        const entries = iterator ??= this.kv.list<T>(selector, { ...options, batchSize });
        batch = await this.#asker.ask(() => take(entries, batchSize));
      } catch (cause) {
        throw unavailable(cause);
      }
      if (batch.length > 0) yield batch;
      if (batch.length < batchSize) return;
      // Let waiting requests go first; they would get no turn between two batches.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Iterates over a range. Not a snapshot: entries written during it may or may not appear. */
  async *list<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): AsyncGenerator<Deno.KvEntry<T>> {
    for await (const batch of this.listBatches<T>(selector, options)) yield* batch;
  }

  /**
   * Runs `body` and commits its writes in one atomic operation that checks what it read. On a
   * conflict, runs `body` again with fresh reads, up to 40 times. A commit of unknown outcome is
   * retried under the transaction's marker, so it takes effect once. Throws what `body` throws,
   * `options.conflict`, or `OutcomeUnknown` if KV is down too long to tell.
   */
  transact<T>(
    body: (tx: Tx) => T | Promise<T>,
    { queue, conflict = "storage_unavailable" }: TransactOptions = {},
  ): Promise<T> {
    const work = queue === undefined
      ? this.#transact(body, conflict)
      : this.#enqueue(queue, () => this.#transact(body, conflict));
    this.#running.add(work);
    const end = () => this.#running.delete(work);
    work.then(end, end);
    return work;
  }

  async #transact<T>(
    body: (tx: Tx) => T | Promise<T>,
    conflict: "storage_unavailable" | "busy",
  ): Promise<T> {
    for (let tries = 0; tries < CONFLICT_TRIES; tries++) {
      if (tries > 0) await pause(Math.min(tries, CONFLICT_PAUSES));
      const tx = new Tx(this);
      const result = await body(tx);
      if (!tx.isWriting || await this.#commit(tx)) return result;
    }
    throw new DomainError(conflict, undefined, { headers: { "Retry-After": "1" } });
  }

  /** Commits an attempt. Returns true if it landed, after telling the listeners. */
  async #commit(tx: Tx): Promise<boolean> {
    if (this.#isFull()) throw unavailable(new Error("the disk is full"));
    try {
      const landed = await this.#commits.commit(tx.seal());
      if (landed === null) return false;
      for (const news of tx.news) {
        // We don't know when this landed: others may have landed and been reported since.
        this.tell(landed === "earlier" ? { ...news, foreign: true } : news);
      }
      this.#late.note(tx.news);
      return true;
    } catch (error) {
      if (error instanceof OutcomeUnknown) this.#tellLater(error.landed, tx.news);
      throw error;
    }
  }

  /**
   * Calls `listener` with the log entries of each commit in this process. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: (news: News) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells this process's listeners. A listener that throws doesn't undo the commit. */
  tell(news: News): void {
    for (const listener of this.#listeners) {
      try {
        listener(news);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  /**
   * Tells the listeners if a transaction of unknown outcome lands after all. Nothing else would:
   * the log tail skips this process's entries.
   */
  async #tellLater(landed: Promise<boolean>, all: readonly News[]): Promise<void> {
    if (!await landed) return;
    for (const news of all) {
      // Leave out the payload: it is stale by now.
      this.tell(
        news.type === "change"
          ? { type: "change", change: news.change, foreign: true }
          : { ...news, foreign: true },
      );
    }
    this.#late.note(all);
  }

  /**
   * Runs `read` between this process's commits. It sees every commit that listeners have been told
   * of, and none they haven't. `read` must not wait for a transaction.
   */
  betweenCommits<T>(read: () => Promise<T>): Promise<T> {
    return this.#groups.betweenCommits(read);
  }

  /**
   * The revision minus what this process knows it has added. Changes whenever another process logs
   * something. Throws `storage_unavailable`.
   */
  async foreignRevision(): Promise<number> {
    try {
      return await this.#groups.betweenCommits(async (own) => {
        const read = () => this.kv.get(storeKeys.revision);
        return counterValue(await this.#asker.ask(read)) - own;
      });
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  /** Resolves when no transaction is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  /** Closes the database. */
  close(): void {
    this.isClosed = true;
    this.kv.close();
  }

  #enqueue<T>(queue: string, run: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(queue);
    const turn = before === undefined ? run() : before.then(run, run);
    this.#queues.set(queue, turn);
    const leave = () => {
      if (this.#queues.get(queue) === turn) this.#queues.delete(queue);
    };
    turn.then(leave, leave);
    return turn;
  }
}

/**
 * True if a key part is longer than any we write. Text from URLs reaches this point, and KV throws
 * on keys of 2,048 bytes.
 */
function isOverlong(key: Deno.KvKey): boolean {
  return key.some((part) => typeof part === "string" && part.length > KEY_PART_MAX);
}

/** The next entries from an iterator, up to `count`. */
async function take<T>(iterator: AsyncIterator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const step = await iterator.next();
    if (step.done) break;
    taken.push(step.value);
  }
  return taken;
}
