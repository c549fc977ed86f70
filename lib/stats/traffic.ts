import { utcDay } from "../clock.ts";
import type { VisitorClass } from "../http/caller.ts";
import { OutcomeUnknown } from "../kv/commit.ts";
import { counterValue, type Store } from "../kv/store.ts";
import { errorFields, type Log } from "../log.ts";
import { statsKeys } from "./keys.ts";
import { Recent } from "../recent.ts";
import type { Stats } from "./schema.ts";
import type { Surface } from "./surface.ts";

/** How often counts go to KV; a crash loses at most so much traffic, and nothing else. */
const FLUSH_MS = 5_000;
/** How old (ms) the counters may be that are shown. */
const STATS_MAX_AGE_MS = 10_000;
/** Counters written in one transaction; KV takes 1,000 mutations. */
const BATCH = 500;

/** One request that was answered. */
export interface Visit {
  surface: Surface;
  visitorClass: VisitorClass;
  /** The known AI user agent that sent it, or null. */
  aiVisitor: string | null;
}

/** Requests of one UTC day by surface and visitor class. */
export interface DayTraffic {
  day: string;
  counts: ReadonlyMap<Surface, ReadonlyMap<VisitorClass, number>>;
}

/**
 * Counts requests by day, surface and visitor class, and those of known AI user agents by name. Counting is
 * an addition in memory; sums go to KV every few seconds and at shutdown.
 */
export class Traffic {
  readonly #store: Store;
  readonly #log: Log;
  /** The public counters as they were summed last. */
  readonly stats = new Recent<Stats>(STATS_MAX_AGE_MS);
  #pending = new Map<string, { key: Deno.KvKey; count: number }>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor({ store, log }: { store: Store; log: Log }) {
    this.#store = store;
    this.#log = log;
  }

  /** Counts a request in memory, to be written with the next flush. */
  count({ surface, visitorClass, aiVisitor }: Visit): void {
    const day = utcDay(this.#store.clock.now());
    this.#add(statsKeys.traffic(day, surface, visitorClass), 1);
    if (aiVisitor !== null) this.#add(statsKeys.aiVisits(day, aiVisitor), 1);
  }

  /** Flushes every few seconds until `stop`. */
  start(): void {
    this.#timer = setInterval(() => this.flush(), FLUSH_MS);
  }

  /** Stops, and writes what is left. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  /** Writes what was counted; what KV does not take stays for the next time. */
  flush(): Promise<void> {
    return this.#flushing = this.#flushing.then(() => this.#flush());
  }

  /** The first UTC day on which an AI user agent was counted, or null. */
  async since(): Promise<string | null> {
    await this.flush();
    for await (const { key } of this.#store.list({ prefix: statsKeys.allAiVisits }, { limit: 1 })) {
      return key[1] as string;
    }
    return null;
  }

  /** Requests of a UTC day by the name of the AI user agent. */
  async requests(day: string): Promise<ReadonlyMap<string, number>> {
    await this.flush();
    const counts = new Map<string, number>();
    for await (const entry of this.#store.list({ prefix: statsKeys.aiVisitsOfDay(day) })) {
      counts.set(entry.key[2] as string, counterValue(entry));
    }
    return counts;
  }

  /** Every day on which something was counted, the oldest first. */
  async days(): Promise<DayTraffic[]> {
    await this.flush();
    const days = new Map<string, Map<Surface, Map<VisitorClass, number>>>();
    for await (const entry of this.#store.list({ prefix: statsKeys.allTraffic })) {
      const [, day, surface, visitorClass] = entry.key as [string, string, Surface, VisitorClass];
      const counts = days.get(day) ?? new Map<Surface, Map<VisitorClass, number>>();
      const classes = counts.get(surface) ?? new Map<VisitorClass, number>();
      days.set(day, counts.set(surface, classes.set(visitorClass, counterValue(entry))));
    }
    return [...days].map(([day, counts]) => ({ day, counts }));
  }

  #add(key: Deno.KvKey, count: number): void {
    const id = key.join(" ");
    const entry = this.#pending.get(id);
    if (entry === undefined) this.#pending.set(id, { key, count });
    else entry.count += count;
  }

  async #flush(): Promise<void> {
    const entries = [...this.#pending.values()];
    this.#pending = new Map();
    for (let i = 0; i < entries.length; i += BATCH) {
      const batch = entries.slice(i, i + BATCH);
      try {
        await this.#store.transact((tx) => {
          for (const { key, count } of batch) tx.sum(key, BigInt(count));
        });
      } catch (error) {
        const keep = () => batch.forEach(({ key, count }) => this.#add(key, count));
        // What may still land counts again only if it has not; nobody waits for that.
        if (error instanceof OutcomeUnknown) error.landed.then((landed) => landed || keep());
        else keep();
        this.#log.warn("traffic_not_flushed", errorFields(error));
      }
    }
  }
}
