import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzipSync, gzip } from "node:zlib";
import { CHUNK_BYTES, deleteAll, deleteAllBut, readChunks, writeChunks } from "../cache/chunks.ts";
import { MINUTE_MS } from "../clock.ts";
import { inOneLine } from "../errors.ts";
import { storeKeys } from "../kv/keys.ts";
import { createLogId, LOG_LATE_MS } from "../kv/log_id.ts";
import { counterValue, type Store } from "../kv/store.ts";
import type { Log } from "../log.ts";
import { snapshotKeys } from "./keys.ts";

/** The snapshot format. Others are not read. */
const FORM = 1;
/** The initial length of a chunk before compression (in characters of JSON). */
const FIRST_LENGTH = 200_000;
/** How many reads of chunks run at once. */
const READS_AHEAD = 6;
/** With fewer entries, reading their records is just as fast. */
const MIN_ENTRIES = 1_000;
/**
 * A snapshot newer than this is not replaced, unless many changes were logged since: reading those
 * slows a start, and Deno Deploy bills each KiB that a snapshot writes.
 */
const MIN_AGE_MS = 25 * MINUTE_MS;
const MANY_CHANGES = 1_000;
/**
 * The log covers all changes since a snapshot newer than this: click entries expire after an hour.
 */
const MAX_AGE_MS = 45 * MINUTE_MS;
/** A writer that hasn't finished after this long is taken for dead. */
const CLAIM_MS = 5 * MINUTE_MS;

const compress = promisify(gzip);

/** Entries of one kind, in a form that JSON can express. */
export interface Packed {
  /** The kind's name in keys. */
  name: string;
  /** Changes whenever the packed format changes. */
  shape: string;
  /** A function for each current entry: all of them packed at once would take a lot of memory. */
  pack: () => (() => unknown)[];
  /** Loads entries made by `pack`. */
  unpack: (entries: unknown[]) => void;
}

/** A snapshot's metadata. */
interface SnapshotMeta {
  form: number;
  version: string;
  /** When it was begun (ms), and the revision then. It includes everything before that. */
  at: number;
  revision: number;
  kinds: Record<string, PackedSize>;
}

interface PackedSize {
  shape: string;
  chunks: number;
  entries: number;
}

interface SnapshotClaim {
  version: string;
  /** ms since the epoch. */
  at: number;
}

/** Writes what is in memory to KV now and then, so startup doesn't have to read every record. */
export class Snapshots {
  readonly #store: Store;
  readonly #log: Log;
  readonly #kinds: readonly Packed[];
  /** A version that could not be read. */
  #damaged: string | undefined;

  constructor({ store, log, kinds }: { store: Store; log: Log; kinds: readonly Packed[] }) {
    this.#store = store;
    this.#log = log;
    this.#kinds = kinds;
  }

  /**
   * Loads the snapshot into its kinds, which must be empty. Returns the time (ms) to reread the
   * log from, or undefined if there is no usable snapshot: then drop what was loaded so far. Throws
   * `storage_unavailable`.
   */
  async read(): Promise<number | undefined> {
    const [{ value }, revision] = await this.#store.getMany<unknown>([
      snapshotKeys.meta,
      storeKeys.revision,
    ]) as [Deno.KvEntryMaybe<SnapshotMeta>, Deno.KvEntryMaybe<unknown>];
    if (value === null || value.form !== FORM) return undefined;
    const age = this.#store.clock.now() - value.at;
    const isCurrent = value.revision === counterValue(revision);
    if (!isCurrent && !(age >= 0 && age < MAX_AGE_MS)) return undefined;
    try {
      for (const kind of this.#kinds) await this.#readKind(value, kind);
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      this.#damaged = value.version;
      this.#log.warn("snapshot_damaged", { version: value.version, reason: error.message });
      return undefined;
    }
    return value.at - LOG_LATE_MS;
  }

  /** True if there is a snapshot that a write would replace. Costs two reads. */
  async isOutdated(): Promise<boolean> {
    const [meta, revision] = await this.#store.getMany<unknown>([
      snapshotKeys.meta,
      storeKeys.revision,
    ]);
    const known = meta!.value as SnapshotMeta | null;
    return known !== null && !this.#isGood(known, counterValue(revision!));
  }

  /** True if a snapshot is sound, and is either current or recent with few changes since. */
  #isGood(known: SnapshotMeta | null, revision: number): boolean {
    if (known?.form !== FORM || known.version === this.#damaged) return false;
    const age = Math.abs(this.#store.clock.now() - known.at);
    const changes = revision - known.revision;
    return changes === 0 || age < MIN_AGE_MS && changes < MANY_CHANGES;
  }

  /**
   * Writes a snapshot, unless little has changed since the last one, or another process is writing
   * one. `catchUp` brings memory up to date. A crash leaves the previous snapshot, and chunks that
   * the next writer deletes. Returns true if one was written.
   */
  async write(catchUp: () => Promise<void>): Promise<boolean> {
    const now = this.#store.clock.now();
    const claim: SnapshotClaim = { version: createLogId(now), at: now };
    const begun = await this.#store.transact(async (tx) => {
      const [meta, claimed, revision] = await tx.getMany<unknown>([
        snapshotKeys.meta,
        snapshotKeys.claim,
        storeKeys.revision,
      ]);
      const known = meta!.value as SnapshotMeta | null;
      const other = claimed!.value as SnapshotClaim | null;
      const isClaimed = other !== null && Math.abs(now - other.at) < CLAIM_MS;
      if (isClaimed || this.#isGood(known, counterValue(revision!))) return null;
      tx.set(snapshotKeys.claim, claim);
      return { current: known?.version };
    });
    if (begun === null) return false;
    await deleteAllBut(this.#store, snapshotKeys.allChunks, [begun.current]);
    const revision = counterValue(
      await this.#store.betweenCommits(() => this.#store.get<unknown>(storeKeys.revision)),
    );
    await catchUp();
    const kinds: SnapshotMeta["kinds"] = {};
    for (const kind of this.#kinds) kinds[kind.name] = await this.#writeKind(claim.version, kind);
    const isDone = await this.#store.transact(async (tx) => {
      const { value } = await tx.get<SnapshotClaim>(snapshotKeys.claim);
      if (value?.version !== claim.version) return false;
      tx.set(
        snapshotKeys.meta,
        { form: FORM, version: claim.version, at: now, revision, kinds } satisfies SnapshotMeta,
      );
      tx.delete(snapshotKeys.claim);
      return true;
    });
    const unused = isDone ? begun.current : claim.version;
    if (unused !== undefined) await deleteAll(this.#store, snapshotKeys.chunks(unused));
    return isDone;
  }

  async #readKind({ version, kinds }: SnapshotMeta, kind: Packed): Promise<void> {
    const { shape, chunks, entries } = kinds[kind.name] ?? { shape: "", chunks: 0, entries: 0 };
    if (shape !== kind.shape) throw new Damaged(`The ${kind.name} entries have a different shape`);
    const keyOf = (i: number) => snapshotKeys.chunk(version, kind.name, i);
    let count = 0;
    for await (const chunk of readChunks(this.#store, chunks, keyOf, { ahead: READS_AHEAD })) {
      const packed = unzipped(chunk);
      count += packed.length;
      try {
        kind.unpack(packed);
      } catch (error) {
        throw new Damaged(`A ${kind.name} entry can't be read: ${inOneLine(error)}`);
      }
      // Let requests run.
      await setImmediate();
    }
    if (count !== entries) throw new Damaged(`${count} of ${entries} ${kind.name} entries`);
  }

  async #writeKind(version: string, kind: Packed): Promise<PackedSize> {
    const entries = kind.pack();
    const keyOf = (i: number) => snapshotKeys.chunk(version, kind.name, i);
    const chunks = await writeChunks(this.#store, zipped(entries), keyOf);
    return { shape: kind.shape, chunks, entries: entries.length };
  }
}

/** True if there are enough entries for a snapshot. */
export function isWorthSnapshot(entries: number): boolean {
  return entries >= MIN_ENTRIES;
}

/** Thrown if a snapshot doesn't match its `SnapshotMeta`. */
class Damaged extends Error {}

/** Compresses entries into chunks that fit in a value. */
async function* zipped(entries: readonly (() => unknown)[]): AsyncGenerator<Uint8Array> {
  let length = FIRST_LENGTH;
  for (let start = 0; start < entries.length;) {
    const texts: string[] = [];
    for (let size = 0; size < length && start + texts.length < entries.length;) {
      const text = JSON.stringify(entries[start + texts.length]!());
      texts.push(text);
      size += text.length;
    }
    const zip = () => compress(`[${texts.join(",")}]`);
    let chunk = await zip();
    while (chunk.length > CHUNK_BYTES && texts.length > 1) {
      texts.length >>= 1;
      length *= 0.8;
      chunk = await zip();
    }
    if (chunk.length < 0.8 * CHUNK_BYTES) length *= 1.1;
    start += texts.length;
    yield new Uint8Array(chunk);
  }
}

/** The entries in a chunk. Throws `Damaged`: gzip has a checksum. */
function unzipped(chunk: unknown): unknown[] {
  if (!(chunk instanceof Uint8Array)) throw new Damaged("A chunk is missing");
  try {
    return JSON.parse(gunzipSync(chunk).toString());
  } catch {
    throw new Damaged("A chunk is broken");
  }
}
