import { CachedRead } from "../cache/cached_read.ts";
import { addDays, HOUR_MS, MINUTE_MS, utcDay } from "../clock.ts";
import type { VisitorClass } from "../http/caller.ts";
import { OutcomeUnknown } from "../kv/commit.ts";
import { counterValue, type Store } from "../kv/store.ts";
import { errorFields, type Log } from "../log.ts";
import { statsKeys } from "./keys.ts";
import type { Stats } from "./schema.ts";
import type { Surface } from "./surface.ts";

/** How soon counts are written to KV after a quiet minute: Deno Deploy stops idle instances. */
const SOON_MS = 5_000;
/**
 * How often they are written at most, since Deno Deploy bills each write. A crash loses at most
 * this much traffic, and nothing else.
 */
const FLUSH_MS = MINUTE_MS;
/** How old (ms) the displayed counters may be. */
const STATS_MAX_AGE_MS = 10_000;
/** Counters written per transaction; KV allows 1,000 mutations. */
const BATCH = 500;

/** One request that was answered. */
interface Visit {
  surface: Surface;
  visitorClass: VisitorClass;
  /** The known AI user agent that sent it, or null. */
  aiVisitor: string | null;
}

/** Requests from a visitor class to a surface on a UTC day, or a part of them. */
export interface SurfaceRequests {
  day: string;
  surface: Surface;
  visitorClass: VisitorClass;
  requests: number;
}

/** Requests from an AI user agent on a UTC day, or a part of them. */
export interface AgentRequests {
  day: string;
  name: string;
  requests: number;
}

/** A counter in KV, or what is waiting to be added to it. */
interface Counter {
  key: Deno.KvKey;
  count: number;
}

/**
 * Counts requests by day, surface and visitor class, and those of known AI user agents by name.
 * Counting is an in-memory addition. The sums are written to KV at most once a minute, and at
 * shutdown.
 */
export class Traffic {
  readonly #store: Store;
  readonly #log: Log;
  /** The last computed sums of the public counters. */
  readonly stats = new CachedRead<Stats>({ maxAgeMs: STATS_MAX_AGE_MS });
  /** Counters of the days before yesterday. Normally nothing is added to them anymore. */
  readonly #past = new CachedRead<Counter[]>({ maxAgeMs: HOUR_MS });
  #pending = new Map<string, Counter>();
  /** The AI user agents that this process has counted on a UTC day. */
  #seen = { day: "", names: new Set<string>() };
  #timer: ReturnType<typeof setInterval> | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #flushedAt = -Infinity;

  constructor({ store, log }: { store: Store; log: Log }) {
    this.#store = store;
    this.#log = log;
  }

  /**
   * Counts a request in memory, to be written with the next flush. An AI user agent's first request
   * of a day drops the cached sums, so that the agent finds itself in them.
   */
  count({ surface, visitorClass, aiVisitor }: Visit): void {
    const day = utcDay(this.#store.clock.now());
    this.#add(statsKeys.traffic(day, surface, visitorClass), 1);
    if (aiVisitor === null) return;
    this.#add(statsKeys.aiVisits(day, aiVisitor), 1);
    if (this.#seen.day !== day) this.#seen = { day, names: new Set() };
    const { names } = this.#seen;
    if (names.has(aiVisitor)) return;
    names.add(aiVisitor);
    this.stats.drop();
  }

  /** Flushes at most once a minute until `stop`. */
  start(): void {
    this.#timer = setInterval(() => this.flushIfDue(), SOON_MS);
  }

  /** Writes the counts if the last flush was a minute ago. */
  async flushIfDue(): Promise<void> {
    const age = this.#store.clock.now() - this.#flushedAt;
    if (this.#pending.size > 0 && (age < 0 || age >= FLUSH_MS)) await this.flush();
  }

  /** Stops, and writes what is left. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  /** Writes the counts. If KV fails, they are kept for the next try. */
  flush(): Promise<void> {
    return this.#flushing = this.#flushing.then(() => this.#flush());
  }

  /** The first UTC day with a count of an AI user agent, or null. */
  async since(): Promise<string | null> {
    for await (const { key } of this.#store.list({ prefix: statsKeys.allAiVisits }, { limit: 1 })) {
      return key[1] as string;
    }
    return (this.#waiting(statsKeys.allAiVisits)[0]?.key[1] ?? null) as string | null;
  }

  /** Requests from AI user agents on a range of days, both ends included. */
  async byAgent(from: string, to: string): Promise<AgentRequests[]> {
    const start = statsKeys.aiVisitsOfDay(from);
    const end = statsKeys.aiVisitsOfDay(addDays(to, 1));
    const counters = [...await this.#read({ start, end }), ...this.#waiting(statsKeys.allAiVisits)];
    return counters.map(({ key, count }) => {
      const [, day, name] = key as [string, string, string];
      return { day, name, requests: count };
    }).filter(({ day }) => day >= from && day <= to);
  }

  /** All requests, oldest first. Days before yesterday are read once an hour. */
  async bySurface(): Promise<SurfaceRequests[]> {
    const now = this.#store.clock.now();
    const yesterday = addDays(utcDay(now), -1);
    const at = statsKeys.trafficOfDay(yesterday);
    const prefix = statsKeys.allTraffic;
    const past = await this.#past.get(yesterday, now, () => this.#read({ prefix, end: at }));
    const recent = await this.#read({ prefix, start: at });
    return [...past, ...recent, ...this.#waiting(prefix)].map(({ key, count }) => {
      const [, day, surface, visitorClass] = key as [string, string, Surface, VisitorClass];
      return { day, surface, visitorClass, requests: count };
    });
  }

  #read(range: Deno.KvListSelector): Promise<Counter[]> {
    return Array.fromAsync(this.#store.list(range), (entry) => ({
      key: entry.key,
      count: counterValue(entry),
    }));
  }

  /**
   * Counters of one kind that are waiting to be written. Readers add them to KV's, so no reader
   * waits for a write. A counter that is being written may be in neither.
   */
  #waiting([kind]: Deno.KvKey): Counter[] {
    return [...this.#pending.values()].filter(({ key }) => key[0] === kind);
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
    this.#flushedAt = this.#store.clock.now();
    for (let i = 0; i < entries.length; i += BATCH) {
      const batch = entries.slice(i, i + BATCH);
      try {
        await this.#store.transact((tx) => {
          for (const { key, count } of batch) tx.sum(key, BigInt(count));
        });
      } catch (error) {
        const keep = () => batch.forEach(({ key, count }) => this.#add(key, count));
        // A write of unknown outcome is counted again only once it is known not to have landed.
        if (error instanceof OutcomeUnknown) error.landed.then((landed) => landed || keep());
        else keep();
        this.#log.warn("traffic_not_flushed", errorFields(error));
      }
    }
  }
}
