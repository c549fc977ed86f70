import { DAY_MS, MINUTE_MS } from "../clock.ts";
import { storeKeys } from "../kv/keys.ts";
import { logIdAt, logIdTime } from "../kv/log_id.ts";
import type { Notice, Pulse, Store } from "../kv/store.ts";
import { errorFields, type Log } from "../log.ts";

/**
 * Votes are gathered in steps of this length, so the day that is summed is exact to five minutes.
 */
const STEP_MS = 5 * MINUTE_MS;
const STEPS = DAY_MS / STEP_MS;

/** For this long before `load`, a vote may come both from `load` and from the tail of the log. */
const DOUBTFUL_MS = 2 * STEP_MS;

/**
 * For this long (ms) after `load` too. The clock of the process that wrote a vote may be ahead, and
 * the tail tells of nothing that was there when it began.
 */
const AHEAD_MS = 3_000;

/** How long (ms) after the votes of the day could not be read they are read again. */
const RETRY_MS = 1_000;

/** A listing's votes of the last 24 hours, minus those taken back. */
export interface Rise {
  slug: string;
  votes24h: number;
}

/**
 * Counts votes on listings in the last 24 hours, from the pulse log and this process's own commits.
 */
export class Velocity {
  readonly #store: Store;
  readonly #log: Log;
  #steps = new Map<number, Map<string, number>>();
  readonly #sums = new Map<string, number>();
  /**
   * Ids of around the time of `load` (`DOUBTFUL_MS`, `AHEAD_MS`). Both `load` and the tail may
   * bring them, and each must count once.
   */
  readonly #seen = new Set<string>();
  #loadedFrom = 0;
  /** When the last `load` failed (ms). */
  #failedAt: number | undefined;
  #oldest: number;
  #revision = 0;

  constructor({ store, log }: { store: Store; log: Log }) {
    this.#store = store;
    this.#log = log;
    this.#oldest = Math.floor(store.clock.now() / STEP_MS) - STEPS;
    store.subscribe((notice) => this.#apply(notice));
  }

  /**
   * Reads the votes of the last 24 hours, between other work. Later ones come as notices. While KV
   * fails, which is logged, earlier ones are missing; asking for them then reads them again.
   */
  async load(): Promise<void> {
    const now = this.#store.clock.now();
    this.#loadedFrom = now;
    this.#failedAt = undefined;
    this.#oldest = Math.floor(now / STEP_MS) - STEPS;
    const steps = this.#steps = new Map();
    this.#sums.clear();
    this.#seen.clear();
    this.#revision++;
    // A later `load` takes the place of this one.
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
        // An entry may carry pulses that are later than its id. Those come as notices.
        if (logIdTime(pulse.id) <= now + AHEAD_MS) this.#addOnce(pulse);
      }
    }
  }

  /** Rises with every vote and every step of time. */
  get revision(): number {
    this.#expire();
    return this.#revision;
  }

  /**
   * The first `limit` of the listings that gained votes and that `isListed` accepts: the fastest
   * first, then by slug. It is one pass without sorting, because each vote makes the last result
   * out of date.
   */
  rising(limit: number, isListed: (slug: string) => boolean): Rise[] {
    this.#expire();
    const best: Rise[] = [];
    for (const [slug, votes24h] of this.#sums) {
      const rise = { slug, votes24h };
      if (votes24h <= 0 || (best.length === limit && !isFaster(rise, best[limit - 1]!))) continue;
      if (!isListed(slug)) continue;
      const place = best.findIndex((other) => isFaster(rise, other));
      best.splice(place < 0 ? best.length : place, 0, rise);
      if (best.length > limit) best.pop();
    }
    return best;
  }

  #apply(notice: Notice): void {
    if (notice.type !== "pulse") return;
    this.#expire();
    this.#addOnce(notice.pulse);
  }

  #addOnce(pulse: Pulse): void {
    const writtenAt = logIdTime(pulse.id);
    const isDoubtful = writtenAt > this.#loadedFrom - DOUBTFUL_MS &&
      writtenAt <= this.#loadedFrom + AHEAD_MS;
    if (isDoubtful && this.#seen.has(pulse.id)) return;
    if (isDoubtful) this.#seen.add(pulse.id);
    this.#add(pulse);
  }

  #add({ kind, slug, delta, at }: Pulse): void {
    const index = Math.floor(at / STEP_MS);
    if (kind !== "vote" || index <= this.#oldest) return;
    const step = this.#steps.get(index) ?? new Map<string, number>();
    this.#steps.set(index, step);
    step.set(slug, (step.get(slug) ?? 0) + delta);
    this.#move(slug, delta);
  }

  #move(slug: string, delta: number): void {
    const sum = (this.#sums.get(slug) ?? 0) + delta;
    if (sum === 0) this.#sums.delete(slug);
    else this.#sums.set(slug, sum);
    this.#revision++;
  }

  /** Subtracts the steps that lie more than a day back. */
  #expire(): void {
    const now = this.#store.clock.now();
    const oldest = Math.floor(now / STEP_MS) - STEPS;
    const isMissing = this.#failedAt !== undefined && Math.abs(now - this.#failedAt) >= RETRY_MS;
    // Where the clock was set back, steps that were subtracted count again.
    if (isMissing || oldest < this.#oldest - 1) {
      this.load();
      return;
    }
    if (oldest <= this.#oldest) return;
    this.#oldest = oldest;
    for (const [index, step] of this.#steps) {
      if (index > oldest) continue;
      for (const [slug, votes] of step) this.#move(slug, -votes);
      this.#steps.delete(index);
    }
  }
}

function isFaster(a: Rise, b: Rise): boolean {
  return a.votes24h === b.votes24h ? a.slug < b.slug : a.votes24h > b.votes24h;
}
