import type { Clock } from "../clock.ts";
import { DomainError } from "../errors.ts";
import {
  attempt,
  CONFLICT_PAUSES,
  OPERATION_DEADLINE_MS,
  pause,
  repeatedRead,
  restDeadlines,
  SETTLE_MS,
  unavailable,
} from "./attempt.ts";
import { UnderWay } from "../under_way.ts";
import { Commits, OutcomeUnknown } from "./commit.ts";
import { GET_MANY_MAX, GroupRead } from "./group_read.ts";
import { Memory } from "./memory.ts";
import { SHARED_MS } from "./sole_writer.ts";
import { type Notice, Tx } from "./tx.ts";

export { type Change, counterValue, type Notice, type Pulse, PULSE_TTL_MS, Tx } from "./tx.ts";

/** What the store needs of Deno.Kv; tests hand in one that fails on demand. */
export type KvLike = Pick<Deno.Kv, "get" | "getMany" | "list" | "atomic" | "close">;

/** In UTF-16 units; the longest that is written is a slug of 60 or a digest. */
const KEY_PART_MAX = 300;
/** Each conflict means that another writer won; three processes on one document lose two tries in three. */
const CONFLICT_TRIES = 20;

/**
 * What lands so long (ms) after its ids were made is logged once more, under new ones: whoever follows the logs
 * has gone on. Readers of the public changes are sent as much again.
 */
export const LATE_MS = 10_000;
/** How many notices are logged once more in one transaction, and how long (ms) it waits where KV fails. */
const LATE_MAX = 100;
const LATE_RETRY_MS = 1_000;

/** How many entries of a range are read at once. */
const BATCH = 500;

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
  /** The longest that a commit of unknown outcome is asked for, in ms. */
  settleMs?: number;
  /** How long (ms) this process takes itself for one of several once another one has written. */
  sharedMs?: number;
  /** Hears what a listener threw. */
  onListenerError?: (error: unknown) => void;
}

/**
 * The only door to Deno KV: reads with a deadline, and writes as checked transactions.
 * Any failure of KV becomes `storage_unavailable`.
 */
export class Store {
  readonly #listeners = new Set<(notice: Notice) => void>();
  readonly #underWay = new UnderWay();
  #queues = new Map<string, Promise<unknown>>();
  /** What is to be logged once more. */
  readonly #late: Notice[] = [];
  readonly #deadlineMs: number;
  readonly #commits: Commits;
  readonly #reads: GroupRead;
  /** What this process saw last of keys that transactions recall. */
  readonly memory = new Memory();
  readonly #onListenerError: (error: unknown) => void;

  constructor(readonly kv: KvLike, readonly clock: Clock, options: StoreOptions = {}) {
    this.#deadlineMs = options.deadlineMs ?? OPERATION_DEADLINE_MS;
    this.#commits = new Commits(kv, {
      deadlineMs: this.#deadlineMs,
      settleMs: options.settleMs ?? SETTLE_MS,
      sharedMs: options.sharedMs ?? SHARED_MS,
    });
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
      entries.push(...await repeatedRead(() => this.#reads.getMany(batch)));
    }
    return entries as Deno.KvEntryMaybe<T>[];
  }

  /** As `list`, in arrays of entries: where there are many, waiting for each one costs more than it. */
  async *listBatches<T>(selector: Deno.KvListSelector): AsyncGenerator<Deno.KvEntry<T>[]> {
    let iterator: Deno.KvListIterator<T> | undefined;
    for (;;) {
      let batch: Deno.KvEntry<T>[];
      try {
        const entries = iterator ??= this.kv.list<T>(selector, { batchSize: BATCH });
        batch = await attempt(() => take(entries, BATCH), this.#deadlineMs);
      } catch (cause) {
        throw unavailable(cause);
      }
      if (batch.length > 0) yield batch;
      if (batch.length < BATCH) return;
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
        const entries = iterator ??= this.kv.list<T>(selector, { batchSize: BATCH, ...options });
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
  transact<T>(
    body: (tx: Tx) => T | Promise<T>,
    { queue, conflict = "storage_unavailable" }: TransactOptions = {},
  ): Promise<T> {
    const work = queue === undefined
      ? this.#transact(body, conflict)
      : this.#enqueue(queue, () => this.#transact(body, conflict));
    this.#underWay.add(work);
    return work;
  }

  async #transact<T>(
    body: (tx: Tx) => T | Promise<T>,
    conflict: "storage_unavailable" | "busy",
  ): Promise<T> {
    for (let tries = 0; tries < CONFLICT_TRIES; tries++) {
      if (tries > 0) await pause(Math.min(tries, CONFLICT_PAUSES));
      const tx = new Tx(this, tries === 0);
      let result: T;
      try {
        result = await body(tx);
      } catch (error) {
        // What was refused on recalled data is judged again on real reads.
        if (!this.memory.forget(tx.uses)) throw error;
        continue;
      }
      if (!tx.isWriting) {
        if (!this.memory.forget(tx.uses)) return result;
        continue;
      }
      if (await this.#commit(tx)) return result;
      this.memory.forget(tx.uses);
    }
    throw new DomainError(conflict, undefined, { headers: { "Retry-After": "1" } });
  }

  /** Whether a transaction has landed; then its listeners have heard of it. */
  async #commit(tx: Tx): Promise<boolean> {
    try {
      const landed = await this.#commits.commit(tx.seal());
      if (landed === null) return false;
      const { versionstamp, term } = landed;
      tx.term = term;
      if (versionstamp !== null) this.memory.learn(tx.uses, versionstamp);
      for (const notice of tx.notices) {
        // When a commit of unknown outcome landed is not known: others may have landed and been heard of since.
        this.notify(versionstamp === null ? { ...notice, foreign: true } : notice);
      }
      this.#noteLate(tx.notices);
      return true;
    } catch (error) {
      if (error instanceof OutcomeUnknown) this.#notifyLater(error.landed, tx.notices);
      throw error;
    }
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

  /** Tells what a transaction logged if it lands after all: the logs are not read for entries of this process. */
  async #notifyLater(landed: Promise<boolean>, notices: readonly Notice[]): Promise<void> {
    if (!await landed) return;
    for (const notice of notices) {
      // What the writer had at hand is old by now.
      this.notify(
        notice.type === "change"
          ? { type: "change", change: notice.change, foreign: true }
          : { ...notice, foreign: true },
      );
    }
    this.#noteLate(notices);
  }

  /** Has what landed late logged once more, together with what lands late meanwhile. */
  #noteLate(notices: readonly Notice[]): void {
    const [first] = notices;
    if (first === undefined) return;
    const { at } = first.type === "change" ? first.change : first.pulse;
    if (this.clock.now() - at <= LATE_MS) return;
    const isFirst = this.#late.length === 0;
    this.#late.push(...notices);
    if (isFirst) this.#logLate();
  }

  /** Goes on until it is done, or the process ends. */
  async #logLate(): Promise<void> {
    while (this.#late.length > 0) {
      const late = this.#late.slice(0, LATE_MAX);
      const logging = this.#transact((tx) => {
        for (const notice of late) logAgain(tx, notice);
      }, "storage_unavailable");
      this.#underWay.add(logging);
      try {
        await logging;
        this.#late.splice(0, late.length);
      } catch {
        // KV fails, of which others tell.
        await new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, LATE_RETRY_MS)));
      }
    }
  }

  /**
   * Runs a read while no commit of this process is under way: what it finds holds every commit that listeners
   * have heard of, and none that they will hear of. `read` must not wait for a transaction.
   */
  betweenCommits<T>(read: () => Promise<T>): Promise<T> {
    return this.#commits.between(read);
  }

  /**
   * The revision less what this process knows to have added to it: it moves whenever another process has
   * logged something. Throws `storage_unavailable`.
   */
  foreignRevision(): Promise<number> {
    return this.#commits.foreignRevision();
  }

  /**
   * The number of the term that runs, in which this process alone has logged anything; null outside of one.
   * Terms begin with `foreignRevision`. What was read and counted in a term is known to be all there is once a
   * transaction has landed in it (`Tx.term`).
   */
  get term(): number | null {
    return this.#commits.term;
  }

  /** Resolves when no transaction is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.count > 0) await this.#underWay.settled();
  }

  /** Closes the database. */
  close(): void {
    this.kv.close();
    restDeadlines();
  }

  #enqueue<T>(queue: string, run: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(queue);
    const turn = before === undefined ? run() : before.then(run, run);
    this.#queues.set(queue, turn);
    const leave = () => {
      if (this.#queues.get(queue) === turn) this.#queues.delete(queue);
      // A new map instead of one from which much was deleted: see `UnderWay`.
      if (this.#queues.size === 0) this.#queues = new Map();
    };
    turn.then(leave, leave);
    return turn;
  }
}

/** Logs a notice once more: what it tells of is to be read again, and counts as it did. */
function logAgain(tx: Tx, notice: Notice): void {
  if (notice.type === "change") {
    const { kind, slug, event } = notice.change;
    tx.change({ kind, slug, event });
  } else {
    const { kind, slug } = notice.pulse;
    tx.pulse({ kind, slug, delta: 0 });
  }
}

/**
 * Whether a part of a key is longer than anything that names a record: what visitors put into addresses comes
 * as far as this, and KV throws at 2,048 bytes.
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
