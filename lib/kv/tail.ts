import { atMost, MINUTE_MS } from "../clock.ts";
import { errorFields, type Log } from "../log.ts";
import { storeKeys } from "./keys.ts";
import { isOwnLogId, logIdAt, logIdTime } from "./log_id.ts";
import type { Change, Pulse, Store } from "./store.ts";

/** While requests come, the log is polled once it is this old (ms). */
const POLL_MS = 400;
/** No request is answered from what is older (ms), as long as KV answers. */
const FRESH_MS = 1_000;
/** The longest (ms) that a request waits for a poll. */
const WAIT_MS = 1_000;
/**
 * How often (ms) the log is polled while nobody asks: before entries of clicks expire, which are
 * kept for an hour.
 */
const IDLE_POLL_MS = 20 * MINUTE_MS;
/**
 * Ids carry the time at which a transaction began, so an entry may appear before the position that
 * was read already. Each read therefore goes back this far.
 */
const OVERLAP_MS = 3_000;
/**
 * Now and then a read goes back further, for a commit that waited long or a writer whose clock is
 * slow.
 */
const DEEP_OVERLAP_MS = 2 * MINUTE_MS;
const DEEP_EVERY_MS = 30_000;
/** A process that has not looked for other processes' writes for this long is behind. */
export const LAG_MAX_MS = 10_000;

/**
 * Brings what other processes write to the listeners of this one. `kv.watch` does not reach across
 * processes that share one file, so the revision is polled when requests come, and the logs are read
 * from the last position when another process has moved it.
 */
export class LogTail {
  readonly #store: Store;
  readonly #log: Log;
  readonly #settled: () => Promise<unknown>;
  readonly #seen = new Set<string>();
  /** `Store.foreignRevision` when the logs were read last. */
  #revision: number | undefined;
  /** The time (ms) from which the logs are still to be read. */
  #from: number;
  #deepAt: number;
  /** The revision that the last deep read has seen. */
  #deepRevision = -1;
  #okAt: number;
  /** When (ms) the last poll failed; null if it did not. */
  #failedAt: number | null = null;
  #polling: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor({ store, log, settled }: {
    store: Store;
    log: Log;
    /** Resolves when the listeners have read again what others changed. */
    settled: () => Promise<unknown>;
  }) {
    this.#store = store;
    this.#log = log;
    this.#settled = settled;
    this.#from = this.#deepAt = this.#okAt = store.clock.now();
  }

  /** How long ago (ms) this process last knew that it was up to date. */
  get lag(): number {
    return Math.max(0, this.#store.clock.now() - this.#okAt);
  }

  /**
   * As of when (ms) this process knows what KV holds, if KV has not been read for longer than
   * `LAG_MAX_MS` because it fails; otherwise null.
   */
  get staleSince(): number | null {
    return this.#failedAt !== null && this.lag > LAG_MAX_MS ? this.#okAt : null;
  }

  /**
   * Treats what others have written so far as known. For a caller that reads everything after this.
   * Throws `storage_unavailable`.
   */
  async begin(): Promise<void> {
    const now = this.#store.clock.now();
    this.#revision = this.#deepRevision = await this.#store.foreignRevision();
    this.#from = this.#okAt = now;
  }

  /**
   * For a request: polls the log if that was long ago. Returns what the request must wait for, which
   * never rejects; undefined if what this process knows is recent enough, or KV failed just now. A
   * failure of long ago says nothing: KV may be back since.
   */
  upToDate(): Promise<unknown> | undefined {
    const now = this.#store.clock.now();
    const age = now - this.#okAt;
    if (age >= 0 && age < POLL_MS) return undefined;
    const polling = this.#polling ??= this.#pollOnce();
    if (age >= 0 && age < FRESH_MS) return undefined;
    const failedAt = this.#failedAt;
    if (failedAt !== null && Math.abs(now - failedAt) < LAG_MAX_MS) return undefined;
    return atMost(WAIT_MS, polling);
  }

  async #pollOnce(): Promise<void> {
    try {
      await this.poll();
    } catch (error) {
      this.#log.warn("tail_failed", errorFields(error));
    } finally {
      this.#polling = undefined;
    }
  }

  /** Polls now and then until `stop`, so that nothing has expired when the next request comes. */
  start(): void {
    this.#timer = setInterval(() => this.#polling ??= this.#pollOnce(), IDLE_POLL_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** Stops polling. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Tells the listeners what other processes wrote since the last time. Throws
   * `storage_unavailable`.
   */
  async poll(): Promise<void> {
    try {
      await this.#poll();
      this.#failedAt = null;
    } catch (error) {
      this.#failedAt = this.#store.clock.now();
      throw error;
    }
  }

  async #poll(): Promise<void> {
    const now = this.#store.clock.now();
    const revision = await this.#store.foreignRevision();
    const deep = revision !== this.#deepRevision &&
      Math.abs(now - this.#deepAt) >= DEEP_EVERY_MS;
    if (deep || revision !== this.#revision) {
      // If the clock was set back, new entries stand before what was read already.
      const from = Math.min(this.#from, now) - (deep ? DEEP_OVERLAP_MS : OVERLAP_MS);
      await this.#read(logIdAt(from));
      await atMost(WAIT_MS, this.#settled());
      this.#revision = revision;
      this.#from = now;
      if (deep) {
        this.#deepAt = now;
        this.#deepRevision = revision;
        this.#forget(now - 2 * DEEP_OVERLAP_MS);
      }
    } else {
      // Moves the position on, so that a later read does not go through all that this process wrote
      // itself.
      this.#from = Math.max(this.#from, now - DEEP_OVERLAP_MS);
    }
    this.#okAt = now;
  }

  async #read(start: string): Promise<void> {
    const range = (prefix: Deno.KvKey, at: Deno.KvKey) => ({ prefix, start: at });
    const changes = range(storeKeys.changes, storeKeys.change(start));
    for await (const { value } of this.#store.list<Change>(changes)) {
      if (this.#isNews(value.id)) {
        this.#store.notify({ type: "change", change: value, foreign: true });
      }
    }
    const pulses = range(storeKeys.pulses, storeKeys.pulse(start));
    for await (const { value } of this.#store.list<Pulse[] | Pulse>(pulses)) {
      for (const pulse of [value].flat()) {
        if (this.#isNews(pulse.id)) this.#store.notify({ type: "pulse", pulse, foreign: true });
      }
    }
  }

  #isNews(id: string): boolean {
    if (isOwnLogId(id) || this.#seen.has(id)) return false;
    this.#seen.add(id);
    return true;
  }

  /** Forgets ids that are too old to be read again. */
  #forget(before: number): void {
    for (const id of this.#seen) {
      if (logIdTime(id) < before) this.#seen.delete(id);
    }
  }
}
