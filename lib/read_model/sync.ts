import { atMost, delay } from "../clock.ts";
import { storeKeys } from "../kv/keys.ts";
import { logIdAt } from "../kv/log_id.ts";
import { unavailable } from "../kv/retry.ts";
import {
  type Change,
  counterValue,
  type Notice,
  pairValue,
  type Pulse,
  type Store,
} from "../kv/store.ts";
import { errorFields, type Log } from "../log.ts";
import type { AnyKind } from "./kind.ts";
import type { Snapshots } from "./snapshots.ts";

/** How many entries' parts are read at once. */
const BATCH = 50;
/** KV's limit of keys in one read. */
const GET_MANY_MAX = 10;
/** How many records of a range a load reads at once. */
const LOAD_BATCH = 1_000;
const RETRY_MS = 1_000;
/** So many entries may be read again after a snapshot. */
const MAX_REPLAYED = 3_000;

/** An entry to be read again. */
interface Due {
  kind: AnyKind;
  slug: string;
  /** Only its counts, or all of it. */
  stale: "counts" | "all";
}

/**
 * Keeps catalogues in step with KV. It loads them, applies the commits of this process as they
 * happen, and reads again what other processes changed. Reading is idempotent, so the order of the
 * logs does not matter.
 */
export class Sync {
  readonly #store: Store;
  readonly #log: Log;
  readonly #kinds: readonly AnyKind[];
  /** What must be read again, and what is being read: if that changes, it must be read once more. */
  readonly #due = new Map<string, Due>();
  #reading = new Map<string, Due>();
  #refreshing: Promise<void> | undefined;
  /** During a load: resolves when it has ended. */
  #loaded: Promise<void> | undefined;
  /** While catalogues are filled, what is heard of is noted, and read again afterward. */
  #isLoading = false;

  constructor({ store, log, kinds }: { store: Store; log: Log; kinds: readonly AnyKind[] }) {
    this.#store = store;
    this.#log = log;
    this.#kinds = kinds;
    store.subscribe((notice) => this.#apply(notice));
  }

  /** Reads all live entries from their records. */
  async load(): Promise<void> {
    await Promise.all(this.#kinds.map((kind) => this.#load(kind)));
    await Promise.all(this.#kinds.map((kind) => kind.sort()));
  }

  /**
   * Reads all live entries, from a snapshot if there is one, and then whatever has changed since,
   * here or elsewhere. Until that is done `ready` makes requests wait. While KV fails it goes on
   * trying.
   */
  async start(snapshots: Snapshots): Promise<void> {
    const begun = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loaded = promise;
    this.#isLoading = true;
    for (;;) {
      try {
        const source = await this.#fill(snapshots);
        this.#isLoading = false;
        if (this.#due.size > 0) this.#refreshing ??= this.#refresh();
        await this.settled();
        for (const kind of this.#kinds) kind.endLoad();
        this.#loaded = undefined;
        resolve();
        const sizes = this.#kinds.map(({ name, size }) => [`${name}s`, size()]);
        const ms = Math.round(performance.now() - begun);
        return this.#log.info("loaded", { source, ms, ...Object.fromEntries(sizes) });
      } catch (error) {
        if (this.#store.isClosed) return;
        this.#log.warn("catalogue_not_loaded", errorFields(error));
        await delay(RETRY_MS);
      }
    }
  }

  /**
   * For what needs more than one entry: what it must wait for, at most so long (ms); undefined if
   * all is loaded. Rejects with `storage_unavailable` if it is still not loaded then.
   */
  ready(withinMs: number): Promise<void> | undefined {
    if (this.#loaded === undefined) return undefined;
    return atMost(withinMs, this.#loaded).then(() => {
      if (this.#loaded !== undefined) throw unavailable();
    });
  }

  /** Resolves when all is loaded. */
  get loaded(): Promise<void> {
    return this.#loaded ?? Promise.resolve();
  }

  /** Resolves when nothing is left to be read again. */
  async settled(): Promise<void> {
    while (this.#refreshing !== undefined) await this.#refreshing;
  }

  /** Fills the catalogues, and notes what must be read again. Says where it all comes from. */
  async #fill(snapshots: Snapshots): Promise<"snapshot" | "records"> {
    for (const kind of this.#kinds) kind.beginLoad();
    const from = await snapshots.read();
    if (from !== undefined && await this.#replay(from)) {
      await Promise.all(this.#kinds.map((kind) => kind.sort()));
      return "snapshot";
    }
    for (const kind of this.#kinds) kind.beginLoad();
    await this.load();
    return "records";
  }

  /**
   * Notes what has changed since a time (ms), by the log. False if that is so much that reading all
   * records takes no longer.
   */
  async #replay(from: number): Promise<boolean> {
    const start = logIdAt(from);
    const note = (notice: Notice) => this.#apply({ ...notice, foreign: true });
    const options = { batchSize: LOAD_BATCH };
    const changes = { prefix: storeKeys.changes, start: storeKeys.change(start) };
    for await (const { value: change } of this.#store.list<Change>(changes, options)) {
      note({ type: "change", change });
      if (this.#due.size > MAX_REPLAYED) return false;
    }
    const pulses = { prefix: storeKeys.pulses, start: storeKeys.pulse(start) };
    for await (const { value } of this.#store.list<Pulse[] | Pulse>(pulses, options)) {
      for (const pulse of [value].flat()) note({ type: "pulse", pulse });
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
    // Last, and batch by batch: all records at once would take more memory than the catalogue.
    for await (const batch of this.#batches(kind.records)) {
      kind.append(batch.map(({ key, value }) => {
        const slug = key.at(-1) as string;
        return {
          stored: value,
          extras: extras.map((values) => values.get(slug) ?? null),
          votes: (votes.get(`${slug}/up`) ?? 0) - (votes.get(`${slug}/down`) ?? 0),
          uses: uses.get(slug) ?? 0,
        };
      }));
    }
  }

  /** The values of a range by the rest of their keys. */
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

  #apply(notice: Notice): void {
    const foreign = notice.foreign ?? false;
    if (this.#isLoading && !foreign) return this.#apply({ ...notice, foreign: true });
    if (notice.type === "pulse") {
      const { slug, delta } = notice.pulse;
      for (const kind of this.#kinds) {
        const count = kind.pulses[notice.pulse.kind];
        if (count === undefined) continue;
        if (count === "all") this.#again({ kind, slug, stale: "all" });
        else {
          if (foreign || this.#isReading(kind, slug)) this.#again({ kind, slug, stale: "counts" });
          if (!foreign) kind.count(slug, (now) => ({ [count]: now[count] + delta }));
        }
      }
      return;
    }
    const { slug, event } = notice.change;
    const kind = this.#kinds.find(({ name }) => name === notice.change.kind);
    if (kind === undefined) return;
    const parts = notice.payload === undefined ? undefined : kind.partsOf(notice.payload);
    const isNew = event === "created" && !foreign;
    // What was not live comes back with counts that nobody followed meanwhile.
    const isKnown = parts !== undefined && !this.#isLoading &&
      (kind.has(slug) || isNew || parts.stored.state !== "live");
    if (foreign || !isKnown || this.#isReading(kind, slug)) {
      this.#again({ kind, slug, stale: "all" });
    }
    if (isKnown) kind.put(parts);
  }

  #isReading(kind: AnyKind, slug: string): boolean {
    return this.#reading.has(nameOf(kind, slug));
  }

  #again(due: Due): void {
    const name = nameOf(due.kind, due.slug);
    if (this.#due.get(name)?.stale !== "all") this.#due.set(name, due);
    if (!this.#isLoading) this.#refreshing ??= this.#refresh();
  }

  /** Reads again whatever is due, until nothing is. While KV fails it goes on trying. */
  async #refresh(): Promise<void> {
    // The notices of one poll come one after another; this lets them gather.
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
    const keys = dues.map(({ kind, slug, stale }) => [
      [...kind.votes, slug, "up"],
      [...kind.votes, slug, "down"],
      [...kind.uses, slug],
      ...(stale === "all" ? [kind.records, ...kind.extras].map((key) => [...key, slug]) : []),
    ]);
    // Between commits, because a commit that has landed but was not heard of yet would be counted
    // twice: once here, and once when it is heard of.
    const entries = await this.#store.betweenCommits(() => this.#getMany(keys.flat()));
    let at = 0;
    for (const [i, { kind, slug, stale }] of dues.entries()) {
      const [up, down, uses, record, ...extras] = entries.slice(at, at += keys[i]!.length);
      // It changed meanwhile: what was read would undo that until it is read again.
      if (stale === "all" && this.#due.get(nameOf(kind, slug))?.stale === "all") continue;
      const counts = { votes: pairValue(up!, down!), uses: counterValue(uses!) };
      if (stale === "counts") kind.count(slug, () => counts);
      else if (record!.value === null) kind.remove(slug);
      else kind.put({ stored: record!.value, extras: extras.map(({ value }) => value) }, counts);
    }
  }

  async #getMany(keys: Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    const batches = [];
    for (let i = 0; i < keys.length; i += GET_MANY_MAX) {
      batches.push(this.#store.getMany<unknown>(keys.slice(i, i + GET_MANY_MAX)));
    }
    return (await Promise.all(batches)).flat();
  }
}

function nameOf({ name }: AnyKind, slug: string): string {
  return `${name}/${slug}`;
}
