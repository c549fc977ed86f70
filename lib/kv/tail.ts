import { atMost, MINUTE_MS } from "../clock.ts";
import { errorFields, type Log } from "../log.ts";
import { isOwnLogId, LOG_LATE_MS, logIdTime } from "./log_id.ts";
import { readLog } from "./read_log.ts";
import type { Store } from "./store.ts";

/** When a request comes, poll the log if the last poll is this old (ms). */
const POLL_MS = 400;
/** No request uses data older than this (ms) while KV answers. */
const FRESH_MS = 1_000;
/** The longest (ms) a request waits for a poll. */
const WAIT_MS = 1_000;
/**
 * Poll interval (ms) without requests: short enough to read click entries before they expire after
 * an hour.
 */
const IDLE_POLL_MS = 20 * MINUTE_MS;
/**
 * Ids carry a transaction's start time, so an entry can appear before the position already read.
 * Each read goes back this far.
 */
const OVERLAP_MS = 3_000;
/** How often (ms) a read goes back as far as entries can be late. */
const DEEP_EVERY_MS = 30_000;
/** This many ids are remembered for longer: a clock that is set back rereads more of the logs. */
const REMEMBERED = 10_000;
/** A process that hasn't checked for other processes' writes in this long is behind. */
export const LAG_MAX_MS = 10_000;

/**
 * Brings other processes' writes to this one's listeners. `kv.watch` doesn't work across processes
 * sharing one file. So requests poll the revision, and if another process has moved it, the logs
 * are read from the last position.
 */
export class LogTail {
  readonly #store: Store;
  readonly #log: Log;
  readonly #caughtUp: () => Promise<unknown>;
  readonly #seen = new Set<string>();
  /** `Store.foreignRevision` at the last log read. */
  #revision: number | undefined;
  /** The time (ms) to read the logs from next. */
  #from: number;
  #deepAt: number;
  /** The revision seen by the last deep read. */
  #deepRevision = -1;
  #okAt: number;
  /** When (ms) the last poll failed, or null if it succeeded. */
  #failedAt: number | null = null;
  #polling: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor({ store, log, caughtUp }: {
    store: Store;
    log: Log;
    /** Resolves when the listeners have reread what others changed. */
    caughtUp: () => Promise<unknown>;
  }) {
    this.#store = store;
    this.#log = log;
    this.#caughtUp = caughtUp;
    this.#from = this.#deepAt = this.#okAt = store.clock.now();
  }

  /** The time (ms) since this process last knew it was up to date. */
  get lag(): number {
    return Math.max(0, this.#store.clock.now() - this.#okAt);
  }

  /**
   * When (ms) this process last knew it was up to date, if KV is failing and that was over
   * `LAG_MAX_MS` ago; otherwise null.
   */
  get staleSince(): number | null {
    return this.#failedAt !== null && this.lag > LAG_MAX_MS ? this.#okAt : null;
  }

  /**
   * Marks others' earlier writes as known, for a caller about to read everything. Throws
   * `storage_unavailable`.
   */
  async begin(): Promise<void> {
    const now = this.#store.clock.now();
    this.#revision = this.#deepRevision = await this.#store.foreignRevision();
    this.#from = this.#okAt = now;
  }

  /**
   * Polls the log for a request if the last poll is old. Returns what the request must wait for,
   * which never rejects, or undefined if this process is current enough or KV just failed. An old
   * failure is ignored: KV may be back.
   */
  upToDate(): Promise<unknown> | undefined {
    const now = this.#store.clock.now();
    const age = now - this.#okAt;
    if (age >= 0 && age < POLL_MS) return undefined;
    const polling = this.#pollOnce();
    if (age >= 0 && age < FRESH_MS) return undefined;
    const failedAt = this.#failedAt;
    if (failedAt !== null && Math.abs(now - failedAt) < LAG_MAX_MS) return undefined;
    return atMost(WAIT_MS, polling);
  }

  /** Joins the poll in progress, or starts one. A failure is logged. */
  #pollOnce(): Promise<void> {
    return this.#polling ??= this.poll()
      .catch((error) => this.#log.warn("tail_failed", errorFields(error)))
      .finally(() => this.#polling = undefined);
  }

  /** Polls regularly until `stop`, so nothing expires unread between requests. */
  start(): void {
    this.#timer = setInterval(() => this.#pollOnce(), IDLE_POLL_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** Stops polling. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Tells the listeners what other processes wrote since the last call. Throws
   * `storage_unavailable`.
   */
  async poll(): Promise<void> {
    try {
      await this.#catchUp();
      if (this.#failedAt !== null) this.#log.info("tail_back");
      this.#failedAt = null;
    } catch (error) {
      this.#failedAt = this.#store.clock.now();
      throw error;
    }
  }

  async #catchUp(): Promise<void> {
    const now = this.#store.clock.now();
    const revision = await this.#store.foreignRevision();
    const deep = revision !== this.#deepRevision &&
      Math.abs(now - this.#deepAt) >= DEEP_EVERY_MS;
    if (deep || revision !== this.#revision) {
      // If the clock was set back, new entries sort before the position already read.
      const from = Math.min(this.#from, now) - (deep ? LOG_LATE_MS : OVERLAP_MS);
      for await (const { id, news } of readLog(this.#store, from)) {
        if (this.#isNews(id)) this.#store.tell(news);
      }
      this.#revision = revision;
      this.#from = now;
      if (deep) {
        this.#deepAt = now;
        this.#deepRevision = revision;
        this.#forget(now - 2 * LOG_LATE_MS);
      }
    } else {
      // Move the position forward, so a later read skips this process's own writes.
      this.#from = Math.max(this.#from, now - LOG_LATE_MS);
    }
    const caughtUp = this.#caughtUp().then(() => this.#okAt = now);
    await atMost(WAIT_MS, caughtUp);
  }

  #isNews(id: string): boolean {
    if (isOwnLogId(id) || this.#seen.has(id)) return false;
    this.#seen.add(id);
    return true;
  }

  /** Forgets ids too old to be read again, except the last few thousand. */
  #forget(before: number): void {
    for (const id of this.#seen) {
      if (this.#seen.size <= REMEMBERED) return;
      if (logIdTime(id) < before) this.#seen.delete(id);
    }
  }
}
