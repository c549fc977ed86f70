import { setImmediate } from "node:timers";
import type { Clock } from "../clock.ts";
import { DomainError } from "../errors.ts";
import { Asker, OPERATION_DEADLINE_MS } from "./attempt.ts";
import { Commits, OutcomeUnknown, SETTLE_MS } from "./commit.ts";
import { LateNotices } from "./late_notices.ts";
import { CONFLICT_PAUSES, pause, repeatedRead, unavailable } from "./retry.ts";
import { type Notice, Tx } from "./tx.ts";

export {
  type Change,
  counterValue,
  type Notice,
  pairValue,
  type Pulse,
  PULSE_TTL_MS,
  Tx,
} from "./tx.ts";

/** What the store needs of Deno.Kv; tests hand in one that fails on demand. */
export type KvLike = Pick<Deno.Kv, "get" | "getMany" | "list" | "atomic" | "close">;

/**
 * The longest part of a key that is looked up, in UTF-16 units. The longest ever written is
 * shorter: a slug of 60, or a digest.
 */
const KEY_PART_MAX = 300;
/**
 * Each conflict means that another writer won. With three processes on one document, two tries in
 * three lose: all of 20 would in one of 3,300 writes, all of 40 in one of 11 million.
 */
const CONFLICT_TRIES = 40;

/** How many keys KV reads at once. */
const GET_MANY_MAX = 10;

/** How many entries of a range are read at once. Other reads wait for as long as that takes. */
const BATCH = 200;

/** How a transaction behaves when it meets others. */
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
  /** The longest that a commit of unknown outcome is asked for, in ms. */
  settleMs?: number;
  /** Whether commits are refused, because the disk is full. */
  isFull?: () => boolean;
  /** Hears what a listener threw. */
  onListenerError?: (error: unknown) => void;
}

/**
 * The only door to Deno KV: reads with a deadline, and writes as checked transactions.
 * Any failure of KV becomes `storage_unavailable`.
 */
export class Store {
  readonly #listeners = new Set<(notice: Notice) => void>();
  /** How many transactions are under way, and who waits for none to be. */
  #open = 0;
  readonly #whenIdle: (() => void)[] = [];
  /** Whether `close` was called, so that nothing is worth repeating. */
  isClosed = false;
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #late: LateNotices;
  readonly #asker: Asker;
  readonly #commits: Commits;
  readonly #isFull: () => boolean;
  readonly #onListenerError: (error: unknown) => void;

  constructor(readonly kv: KvLike, readonly clock: Clock, options: StoreOptions = {}) {
    this.#asker = new Asker(options.deadlineMs ?? OPERATION_DEADLINE_MS);
    this.#commits = new Commits(kv, {
      asker: this.#asker,
      settleMs: options.settleMs ?? SETTLE_MS,
    });
    this.#late = new LateNotices(clock, (body) => this.transact(body));
    this.#isFull = options.isFull ?? (() => false);
    this.#onListenerError = options.onListenerError ?? reportError;
  }

  /** Reads one key, strongly consistent. */
  async get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return (await this.getMany<T>([key]))[0]!;
  }

  /**
   * Reads any number of keys, in batches of ten, which is KV's limit. A key that is longer than any
   * we write is answered as absent.
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

  /** Iterates over a range as `list` does, in arrays of entries: faster where there are many. */
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
      // Requests that wait come first: between two batches they would not get their turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /**
   * Iterates over a range. It is no snapshot: entries that are written meanwhile may be among them
   * or not.
   */
  async *list<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): AsyncGenerator<Deno.KvEntry<T>> {
    for await (const batch of this.listBatches<T>(selector, options)) yield* batch;
  }

  /**
   * Runs `body`, and commits what it wrote in one atomic operation that checks what it read. After
   * a conflict it runs `body` again on fresh reads, up to 40 times. A commit of unknown outcome is
   * repeated behind the transaction's own marker, so it takes effect once. Throws what `body`
   * throws, or `options.conflict`.
   */
  transact<T>(
    body: (tx: Tx) => T | Promise<T>,
    { queue, conflict = "storage_unavailable" }: TransactOptions = {},
  ): Promise<T> {
    const work = queue === undefined
      ? this.#transact(body, conflict)
      : this.#enqueue(queue, () => this.#transact(body, conflict));
    this.#open++;
    const end = () => {
      if (--this.#open === 0) this.#whenIdle.splice(0).forEach((resolve) => resolve());
    };
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

  /** Commits a try; says whether it has landed. If so, the listeners have been told. */
  async #commit(tx: Tx): Promise<boolean> {
    if (this.#isFull()) throw unavailable(new Error("the disk is full"));
    try {
      const landed = await this.#commits.commit(tx.seal());
      if (landed === null) return false;
      for (const notice of tx.notices) {
        // It is not known when this landed: others may have landed and been told of since.
        this.notify(landed.versionstamp === null ? { ...notice, foreign: true } : notice);
      }
      this.#late.note(tx.notices);
      return true;
    } catch (error) {
      if (error instanceof OutcomeUnknown) this.#notifyLater(error.landed, tx.notices);
      throw error;
    }
  }

  /**
   * Calls `listener` after each commit of this process with what it logged. Returns the function
   * that stops this.
   */
  subscribe(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells the listeners of this process. One that throws does not undo what is committed. */
  notify(notice: Notice): void {
    for (const listener of this.#listeners) {
      try {
        listener(notice);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  /**
   * Tells the listeners if a transaction of unknown outcome lands after all. Nothing else would:
   * the tail of the logs skips the entries of this process.
   */
  async #notifyLater(landed: Promise<boolean>, notices: readonly Notice[]): Promise<void> {
    if (!await landed) return;
    for (const notice of notices) {
      // The payload is left out: it is old by now.
      this.notify(
        notice.type === "change"
          ? { type: "change", change: notice.change, foreign: true }
          : { ...notice, foreign: true },
      );
    }
    this.#late.note(notices);
  }

  /**
   * Runs `read` while no commit of this process is under way. So what it finds includes every
   * commit that listeners have heard of, and none that they are still to hear of. `read` must not
   * wait for a transaction.
   */
  betweenCommits<T>(read: () => Promise<T>): Promise<T> {
    return this.#commits.between(read);
  }

  /**
   * The revision minus what this process knows it has added to it. It changes whenever another
   * process has logged something. Throws `storage_unavailable`.
   */
  foreignRevision(): Promise<number> {
    return this.#commits.foreignRevision();
  }

  /** Resolves when no transaction is under way. */
  idle(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
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
 * Whether a part of a key is longer than anything that we write. Text from addresses reaches this
 * far, and KV throws at keys of 2,048 bytes.
 */
function isOverlong(key: Deno.KvKey): boolean {
  return key.some((part) => typeof part === "string" && part.length > KEY_PART_MAX);
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
