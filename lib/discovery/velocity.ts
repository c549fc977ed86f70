import { atMost, DAY_MS, MINUTE_MS } from "../clock.ts";
import { storeKeys } from "../kv/keys.ts";
import { logIdAt, logIdTime } from "../kv/log_id.ts";
import type { News, Pulse, Store } from "../kv/store.ts";
import { errorFields, type Log } from "../log.ts";

/** Votes are grouped in steps of this length, so the 24-hour sum is accurate to five minutes. */
const STEP_MS = 5 * MINUTE_MS;
const STEPS = DAY_MS / STEP_MS;

/** For this long before `load`, a vote may arrive both from `load` and from the tail of the log. */
const DOUBTFUL_MS = 2 * STEP_MS;

/**
 * The same goes for this long (ms) after `load`. The process that wrote a vote may have a fast
 * clock, and the tail doesn't report entries that existed when it started.
 */
const AHEAD_MS = 3_000;

/** How long (ms) to wait before reading the day's votes again after a failure. */
const RETRY_MS = 1_000;

/** The longest (ms) that a request waits for `load`. */
const WAIT_MS = 1_000;

/**
 * Counts votes on listings over the last 24 hours, from the pulse log and this process's own
 * commits.
 */
export class Velocity {
  readonly #store: Store;
  readonly #log: Log;
  #steps = new Map<number, Map<string, number>>();
  /** Everything that gained votes, fastest first; undefined after a vote or a step. */
  #ranked: { slug: string; votes24h: number }[] | undefined;
  /**
   * Ids from around the time of `load` (`DOUBTFUL_MS`, `AHEAD_MS`). Both `load` and the tail may
   * deliver them, and each must count only once.
   */
  readonly #seen = new Set<string>();
  #loadedFrom = 0;
  /** When the last `load` failed (ms). */
  #failedAt: number | undefined;
  #oldest: number;
  /** The last `load`. */
  #loading: Promise<void> | undefined;

  constructor({ store, log }: { store: Store; log: Log }) {
    this.#store = store;
    this.#log = log;
    this.#oldest = Math.floor(store.clock.now() / STEP_MS) - STEPS;
    store.subscribe((news) => this.#apply(news));
  }

  /**
   * Loads the votes of the last 24 hours, in the gaps between other work. Later votes arrive as
   * news. If KV fails, that is logged and earlier votes are missing until the next request for
   * them, which tries again.
   */
  load(): Promise<void> {
    return this.#loading = this.#load();
  }

  /** Resolves when `load` has ended, at the latest after a second. */
  async ready(): Promise<void> {
    if (this.#loading !== undefined) await atMost(WAIT_MS, this.#loading);
  }

  async #load(): Promise<void> {
    const now = this.#store.clock.now();
    this.#loadedFrom = now;
    this.#failedAt = undefined;
    this.#oldest = Math.floor(now / STEP_MS) - STEPS;
    const steps = this.#steps = new Map();
    this.#ranked = undefined;
    this.#seen.clear();
    // A later `load` replaces this one.
    const isLast = () => steps === this.#steps;
    try {
      await this.#read(now, isLast);
    } catch (error) {
      if (isLast()) this.#failedAt = this.#store.clock.now();
      this.#log.warn("velocity_not_loaded", errorFields(error));
    }
  }

  async #read(now: number, isLast: () => boolean): Promise<void> {
    const range = {
      start: storeKeys.pulse(logIdAt(now - DAY_MS)),
      end: storeKeys.pulse(logIdAt(now + AHEAD_MS + 1)),
    };
    for await (const batch of this.#store.listBatches<Pulse[] | Pulse>(range)) {
      if (!isLast()) return;
      for (const pulse of batch.flatMap(({ value }) => value)) {
        // An entry may contain pulses later than its id. Those arrive as news.
        if (logIdTime(pulse.id) <= now + AHEAD_MS) this.#add(pulse);
      }
    }
  }

  /**
   * The top `limit` listings that gained votes (minus those taken back) and that `isListed` accepts:
   * fastest first, then by slug.
   */
  rising(limit: number, isListed: (slug: string) => boolean) {
    this.#expire();
    this.#ranked ??= this.#rank();
    return this.#ranked.values().filter(({ slug }) => isListed(slug)).take(limit).toArray();
  }

  #rank() {
    const sums = new Map<string, number>();
    for (const step of this.#steps.values()) {
      for (const [slug, votes] of step) sums.set(slug, (sums.get(slug) ?? 0) + votes);
    }
    return Array.from(sums, ([slug, votes24h]) => ({ slug, votes24h }))
      .filter(({ votes24h }) => votes24h > 0)
      .sort((a, b) => b.votes24h - a.votes24h || (a.slug < b.slug ? -1 : 1));
  }

  #apply(news: News): void {
    if (news.type !== "pulse") return;
    this.#expire();
    // `load` has already read what others logged long before it began. The tail may still deliver
    // that, because on Deno Deploy `load` can begin long after the tail.
    const isRead = news.foreign && logIdTime(news.pulse.id) <= this.#loadedFrom - DOUBTFUL_MS;
    if (!isRead) this.#add(news.pulse);
  }

  /** Counts a vote, unless it was counted before. */
  #add({ id, kind, slug, delta, at }: Pulse): void {
    // A clock that ran ahead would make it count for longer than a day.
    const index = Math.floor(Math.min(at, this.#store.clock.now()) / STEP_MS);
    if (kind !== "vote" || index <= this.#oldest || this.#seen.has(id)) return;
    const writtenAt = logIdTime(id);
    const isDoubtful = writtenAt > this.#loadedFrom - DOUBTFUL_MS &&
      writtenAt <= this.#loadedFrom + AHEAD_MS;
    if (isDoubtful) this.#seen.add(id);
    const step = this.#steps.get(index) ?? new Map<string, number>();
    this.#steps.set(index, step);
    step.set(slug, (step.get(slug) ?? 0) + delta);
    this.#ranked = undefined;
  }

  /** Drops the steps from more than a day ago. */
  #expire(): void {
    const now = this.#store.clock.now();
    const oldest = Math.floor(now / STEP_MS) - STEPS;
    const isMissing = this.#failedAt !== undefined && Math.abs(now - this.#failedAt) >= RETRY_MS;
    // If the clock was set back, dropped steps count again.
    if (isMissing || oldest < this.#oldest - 1) {
      this.load();
      return;
    }
    if (oldest <= this.#oldest) return;
    this.#oldest = oldest;
    this.#ranked = undefined;
    for (const index of this.#steps.keys()) {
      if (index <= oldest) this.#steps.delete(index);
    }
  }
}
