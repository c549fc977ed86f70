import { atMost, delay } from "../clock.ts";
import { readLog } from "../kv/read_log.ts";
import { unavailable } from "../kv/retry.ts";
import {
  type Change,
  counterValue,
  GET_MANY_MAX,
  type News,
  pairValue,
  type Pulse,
  type Store,
} from "../kv/store.ts";
import { errorFields, type Log } from "../log.ts";
import type { AnyKind } from "./kind.ts";
import type { Snapshots } from "./snapshots.ts";

/** How many entries to read at once. */
const BATCH = 50;
/** How many records of a range a load reads at once. */
const LOAD_BATCH = 1_000;
const RETRY_MS = 1_000;
/** Lets the server listen and answer before a load keeps it busy. */
const HEAD_START_MS = 50;
/** The maximum number of entries to reread after a snapshot. */
const MAX_REPLAYED = 3_000;

/** An entry to reread. */
interface Due {
  kind: AnyKind;
  slug: string;
  /** Only its counts, or everything. */
  stale: "counts" | "all";
}

/**
 * Keeps catalogues in sync with KV. It loads them, applies this process's commits as they happen,
 * and rereads what other processes changed. Reads are idempotent, so the order of the logs doesn't
 * matter.
 */
export class Sync {
  readonly #store: Store;
  readonly #log: Log;
  readonly #kinds: readonly AnyKind[];
  /**
   * Entries to reread, and those being read. If one changes during its read, it is read once more.
   */
  readonly #due = new Map<string, Due>();
  #reading = new Map<string, Due>();
  #refreshing: Promise<void> | undefined;
  /** During a load: resolves when it ends. */
  #loaded: Promise<void> | undefined;
  /** While catalogues load, incoming changes are recorded and reread afterward. */
  #isLoading = false;
  /** Begins a load that was put off until something needs it. */
  #begin: (() => void) | undefined;

  constructor({ store, log, kinds }: { store: Store; log: Log; kinds: readonly AnyKind[] }) {
    this.#store = store;
    this.#log = log;
    this.#kinds = kinds;
    store.subscribe((news) => this.#apply(news));
  }

  /** Reads all live entries from their records. */
  async load(): Promise<void> {
    await Promise.all(this.#kinds.map((kind) => this.#load(kind)));
  }

  /**
   * Loads all live entries, from a snapshot if there is one, then applies everything that changed
   * since, here or elsewhere. Until it is done, `ready` makes requests wait. Retries while KV
   * fails. With `onDemand`, begins once `begin` or `loaded` is called. Returns where the data came
   * from, or undefined if the store was closed.
   */
  async start(
    snapshots: Snapshots,
    { onDemand = false } = {},
  ): Promise<"snapshot" | "records" | undefined> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loaded = promise;
    this.#isLoading = true;
    if (onDemand) {
      for (const kind of this.#kinds) kind.catalogue.beginLoad();
      await new Promise<void>((begin) => this.#begin = begin);
      this.#begin = undefined;
    }
    const begun = performance.now();
    for (;;) {
      try {
        const source = await this.#fill(snapshots);
        this.#isLoading = false;
        if (this.#due.size > 0) this.#refreshing ??= this.#refresh();
        await this.caughtUp();
        for (const kind of this.#kinds) kind.catalogue.endLoad();
        this.#loaded = undefined;
        resolve();
        const sizes = this.#kinds.map(({ name, catalogue }) => [`${name}s`, catalogue.size]);
        const ms = Math.round(performance.now() - begun);
        this.#log.info("loaded", { source, ms, ...Object.fromEntries(sizes) });
        return source;
      } catch (error) {
        if (this.#store.isClosed) return undefined;
        this.#log.warn("catalogue_not_loaded", errorFields(error));
        await delay(RETRY_MS);
      }
    }
  }

  /**
   * What a read of several entries must wait for, up to a time limit (ms); undefined if everything
   * is loaded. Rejects with `storage_unavailable` at the limit.
   */
  ready(withinMs = 2_000): Promise<void> | undefined {
    if (this.#loaded === undefined) return undefined;
    return atMost(withinMs, this.#loaded).then(() => {
      if (this.#loaded !== undefined) throw unavailable();
    });
  }

  /** True if the load was put off and nothing has begun it. */
  get isPutOff(): boolean {
    return this.#begin !== undefined;
  }

  /** Begins the load if it was put off. */
  begin(): void {
    this.#begin?.();
  }

  /** Resolves when everything is loaded. Begins a load that was put off. */
  async loaded(): Promise<void> {
    this.begin();
    await this.#loaded;
  }

  /** Resolves when nothing is left to reread. */
  async caughtUp(): Promise<void> {
    while (this.#refreshing !== undefined) await this.#refreshing;
  }

  /** Fills the catalogues and records what to reread. Returns where the data came from. */
  async #fill(snapshots: Snapshots): Promise<"snapshot" | "records"> {
    for (const kind of this.#kinds) kind.catalogue.beginLoad();
    await delay(HEAD_START_MS);
    const from = await snapshots.read();
    if (from !== undefined && await this.#replay(from)) return "snapshot";
    for (const kind of this.#kinds) kind.catalogue.beginLoad();
    await this.load();
    return "records";
  }

  /**
   * Records what the log says changed since a time (ms). False if there is so much that reading all
   * records is just as fast.
   */
  async #replay(from: number): Promise<boolean> {
    for await (const { news } of readLog(this.#store, from, { batchSize: LOAD_BATCH })) {
      this.#apply(news);
      if (this.#due.size > MAX_REPLAYED) return false;
    }
    return true;
  }

  async #load(kind: AnyKind): Promise<void> {
    const [votes, uses, ...extras] = await Promise.all([
      this.#readAll(kind.votes, counterValue),
      this.#readAll(kind.uses, counterValue),
      ...kind.extras.map((prefix) => this.#readAll(prefix, ({ value }) => value)),
    ]);
    // Last, and in batches: all records at once would take more memory than the catalogue.
    for await (const batch of this.#batches(kind.records)) {
      for (const { key, value } of batch) {
        const slug = key.at(-1) as string;
        kind.put({ stored: value, extras: extras.map((values) => values.get(slug) ?? null) }, {
          votes: (votes.get(`${slug}/up`) ?? 0) - (votes.get(`${slug}/down`) ?? 0),
          uses: uses.get(slug) ?? 0,
        });
      }
    }
  }

  /** The values in a range, keyed by the rest of their keys. */
  async #readAll<V>(
    prefix: Deno.KvKey,
    valueOf: (entry: Deno.KvEntry<unknown>) => V,
  ): Promise<Map<string, V>> {
    const found = new Map<string, V>();
    for await (const batch of this.#batches(prefix)) {
      for (const entry of batch) {
        found.set(entry.key.slice(prefix.length).join("/"), valueOf(entry));
      }
    }
    return found;
  }

  #batches(prefix: Deno.KvKey): AsyncIterable<Deno.KvEntry<unknown>[]> {
    return this.#store.listBatches<unknown>({ prefix }, { batchSize: LOAD_BATCH });
  }

  /**
   * Applies this process's news immediately if we know what it changes. We read the entry again
   * after news from another process, and after any news during a load or a read of the entry.
   */
  #apply(news: News): void {
    const foreign = this.#isLoading || news.foreign === true;
    if (news.type === "pulse") this.#applyPulse(news.pulse, foreign);
    else this.#applyChange(news.change, foreign, news.payload);
  }

  #applyPulse({ kind: pulse, slug, delta }: Pulse, foreign: boolean): void {
    for (const kind of this.#kinds) {
      const count = kind.pulses[pulse];
      if (count === undefined) continue;
      if (count === "all") {
        this.#again({ kind, slug, stale: "all" });
        continue;
      }
      if (foreign || this.#isReading(kind, slug)) this.#again({ kind, slug, stale: "counts" });
      if (!foreign) kind.catalogue.count(slug, (now) => ({ [count]: now[count] + delta }));
    }
  }

  #applyChange(change: Change, foreign: boolean, payload: unknown): void {
    const { slug, event } = change;
    const kind = this.#kinds.find(({ name }) => name === change.kind);
    if (kind === undefined) return;
    const parts = payload === undefined ? undefined : kind.partsOf(payload);
    const isNew = event === "created" && !foreign;
    // Nobody tracked the counts of an entry while it wasn't live.
    const isKnown = parts !== undefined && !this.#isLoading &&
      (kind.catalogue.at(slug) !== undefined || isNew || parts.stored.state !== "live");
    if (foreign || !isKnown || this.#isReading(kind, slug)) {
      this.#again({ kind, slug, stale: "all" });
    }
    if (isKnown && kind.put(parts) === false) this.#again({ kind, slug, stale: "all" });
  }

  #isReading(kind: AnyKind, slug: string): boolean {
    return this.#reading.has(nameOf(kind, slug));
  }

  #again(due: Due): void {
    const name = nameOf(due.kind, due.slug);
    if (this.#due.get(name)?.stale !== "all") this.#due.set(name, due);
    if (!this.#isLoading) this.#refreshing ??= this.#refresh();
  }

  /** Rereads everything due until nothing is left. Retries while KV fails. */
  async #refresh(): Promise<void> {
    // One commit can change several entries. This lets all of its news arrive.
    await Promise.resolve();
    while (this.#due.size > 0) {
      this.#reading = new Map([...this.#due].slice(0, BATCH));
      for (const name of this.#reading.keys()) this.#due.delete(name);
      try {
        await this.#read([...this.#reading.values()]);
      } catch (error) {
        for (const due of this.#reading.values()) this.#again(due);
        this.#log.warn("catalogue_stale", { entries: this.#reading.size, ...errorFields(error) });
        await delay(RETRY_MS);
      }
    }
    this.#reading = new Map();
    this.#refreshing = undefined;
  }

  async #read(dues: readonly Due[]): Promise<void> {
    const keys = dues.map(keysOf);
    // Read between commits: a commit that landed but wasn't reported yet would be counted twice,
    // once here and once when reported.
    const reads = await this.#store.betweenCommits(() =>
      Promise.all(readsOf(keys).map((read) => this.#store.getMany<unknown>(read)))
    );
    const entries = reads.flat();
    let at = 0;
    for (const [i, { kind, slug, stale }] of dues.entries()) {
      const [up, down, uses, record, ...extras] = entries.slice(at, at += keys[i]!.length);
      // It has since changed: applying this read would undo that until the next read.
      if (stale === "all" && this.#due.get(nameOf(kind, slug))?.stale === "all") continue;
      const counts = { votes: pairValue(up!, down!), uses: counterValue(uses!) };
      if (stale === "counts") kind.catalogue.count(slug, () => counts);
      else if (record!.value === null) kind.catalogue.remove(slug);
      else kind.put({ stored: record!.value, extras: extras.map(({ value }) => value) }, counts);
    }
  }
}

/**
 * The keys of entries, in as few reads as KV allows. KV reads the keys of one entry at the same
 * moment, so no edit shows up half done.
 */
function readsOf(entries: readonly Deno.KvKey[][]): Deno.KvKey[][] {
  const reads: Deno.KvKey[][] = [[]];
  for (const keys of entries) {
    const last = reads.at(-1)!;
    if (last.length + keys.length <= GET_MANY_MAX) last.push(...keys);
    else reads.push([...keys]);
  }
  return reads;
}

/** The keys of one entry: at most ten. */
function keysOf({ kind, slug, stale }: Due): Deno.KvKey[] {
  return [
    [...kind.votes, slug, "up"],
    [...kind.votes, slug, "down"],
    [...kind.uses, slug],
    ...(stale === "all" ? [kind.records, ...kind.extras].map((key) => [...key, slug]) : []),
  ];
}

function nameOf({ name }: AnyKind, slug: string): string {
  return `${name}/${slug}`;
}
