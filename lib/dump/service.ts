import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { CHUNK_BYTES, deleteAll, deleteAllBut, readChunks, writeChunks } from "../cache/chunks.ts";
import { CLOCK_SKEW_MS, isoTime, MINUTE_MS, utcDay } from "../clock.ts";
import { notFound } from "../errors.ts";
import { storeKeys } from "../kv/keys.ts";
import { createLogId, LOG_LATE_MS, logIdAt } from "../kv/log_id.ts";
import type { Change, Store } from "../kv/store.ts";
import { hasActionSince } from "../operator/actions.ts";
import type { Deps } from "../operator/deps.ts";
import { paths, type Urls, withQuery } from "../urls.ts";
import { dumpKeys } from "./keys.ts";
import { DUMP_FIELDS, dumpLines, type DumpType } from "./lines.ts";

/** A writer that hasn't finished after this long is taken for dead. */
const CLAIM_MS = 30 * MINUTE_MS;

/** A stored dump. */
interface Dump {
  version: string;
  /** When it was started (ms). Later changes are in the change log. */
  at: number;
  counts: Record<DumpType, number>;
  /** Of the compressed file, and of its lines. SHA-256 in hex. */
  file: { bytes: number; sha256: string };
  lines: { bytes: number; sha256: string };
  chunks: number;
}

/** The dumps in KV. */
interface StoredDumps {
  latest: Dump;
  before: Dump | null;
}

interface DumpClaim {
  version: string;
  /** ms since the epoch. */
  at: number;
}

/**
 * Writes a UTC day's dump, or another if something may have been taken down since the last one: then
 * dumps that still contain it are deleted. A crash at any point leaves the previous dumps, and chunks
 * that the next run deletes. Returns whether one was written.
 */
export async function writeDump(deps: Deps, now: number): Promise<boolean> {
  const { store } = deps;
  const known = await readDumps(store);
  const hasTakenDown = known !== null && (
    // The clock was set back. What has been taken down since would look older than the dump.
    known.latest.at > now + CLOCK_SKEW_MS ||
    await wasTakenDown(deps, known.latest.at - LOG_LATE_MS)
  );
  const isToday = known !== null && utcDay(known.latest.at) === utcDay(now);
  if (isToday && !hasTakenDown) return false;
  const claim: DumpClaim = { version: createLogId(now), at: now };
  const isClaimed = await store.transact(async (tx) => {
    const { key, value } = await tx.get<DumpClaim>(dumpKeys.claim);
    if (value !== null && Math.abs(now - value.at) < CLAIM_MS) return false;
    // Another process may have finished one since.
    const dumps = (await tx.get<StoredDumps>(dumpKeys.dumps)).value;
    if (dumps?.latest.version !== known?.latest.version) return false;
    tx.set(key, claim);
    return true;
  });
  if (!isClaimed) return false;
  await deleteAllBut(store, dumpKeys.allChunks, versionsOf(known));
  await deps.sync.loaded();
  await deps.tail.poll();
  await deps.sync.caughtUp();
  const latest = await writeFile(deps, claim);
  const dumps: StoredDumps = { latest, before: hasTakenDown ? null : known?.latest ?? null };
  const isDone = await store.transact(async (tx) => {
    const { key, value } = await tx.get<DumpClaim>(dumpKeys.claim);
    if (value?.version !== claim.version) return false;
    tx.set(dumpKeys.dumps, dumps);
    tx.delete(key);
    return true;
  });
  if (isDone) await deleteAllBut(store, dumpKeys.allChunks, versionsOf(dumps));
  else await deleteAll(store, dumpKeys.chunks(claim.version));
  return isDone;
}

/**
 * True if something may have been taken down since a time (ms): an owner withdrew an entry, or the
 * operator did anything.
 */
async function wasTakenDown(deps: Deps, since: number): Promise<boolean> {
  if (await hasActionSince(deps, since)) return true;
  const range = { prefix: storeKeys.changes, start: storeKeys.change(logIdAt(since)) };
  for await (const batch of deps.store.listBatches<Change>(range)) {
    if (batch.some(({ value: { event } }) => event === "withdrawn" || event === "hidden")) {
      return true;
    }
  }
  return false;
}

/** Compresses all lines into one file and stores it in chunks. */
async function writeFile(deps: Deps, { version, at }: DumpClaim): Promise<Dump> {
  const counts: Dump["counts"] = { listing: 0, skill: 0, poll_day: 0, action: 0 };
  const lines = digest();
  const file = digest();
  async function* texts() {
    for await (const line of dumpLines(deps)) {
      counts[line.type]++;
      yield lines.add(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
    }
  }
  async function* compressed() {
    for await (const part of Readable.from(texts()).compose(createGzip())) yield file.add(part);
  }
  const keyOf = (i: number) => dumpKeys.chunk(version, i);
  const chunks = await writeChunks(deps.store, inChunks(compressed()), keyOf);
  return { version, at, counts, file: file.end(), lines: lines.end(), chunks };
}

/** Counts and hashes (SHA-256) bytes as they pass. */
function digest() {
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    add<B extends Uint8Array>(part: B): B {
      hash.update(part);
      bytes += part.length;
      return part;
    },
    end: () => ({ bytes, sha256: hash.digest("hex") }),
  };
}

/** The same bytes, split to fit into KV values. */
async function* inChunks(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = Buffer.alloc(0);
  for await (const part of parts) {
    held = Buffer.concat([held, part]);
    for (; held.length >= CHUNK_BYTES; held = held.subarray(CHUNK_BYTES)) {
      // Copied: KV would store all of the memory behind a part.
      yield new Uint8Array(held.subarray(0, CHUNK_BYTES));
    }
  }
  if (held.length > 0) yield new Uint8Array(held);
}

function versionsOf(dumps: StoredDumps | null): (string | undefined)[] {
  return [dumps?.latest.version, dumps?.before?.version];
}

async function readDumps(store: Store): Promise<StoredDumps | null> {
  return (await store.get<StoredDumps>(dumpKeys.dumps)).value;
}

/** The content of `/data/manifest.json`: the dumps available for download. */
export async function readManifest({ store, urls }: Pick<Deps, "store" | "urls">) {
  const dumps = await readDumps(store);
  return {
    ok: true,
    latest: dumps && toPublic(dumps.latest, urls),
    // The previous one, for comparison.
    before: dumps?.before ? toPublic(dumps.before, urls) : null,
    // The fields of records, by type.
    fields: DUMP_FIELDS,
    terms: urls.to(`${paths.data}#terms`),
  };
}

/** A dump as shown in the manifest. `changesUrl` leads to the changes since. */
function toPublic({ at, chunks: _, ...dump }: Dump, urls: Urls) {
  const since = isoTime(at - LOG_LATE_MS);
  return {
    ...dump,
    at: isoTime(at),
    url: urls.to(paths.dump(dump.version)),
    changesUrl: urls.to(withQuery(paths.apiChanges, { since, limit: 100 })),
  };
}

/** A dump and its compressed bytes, read on demand. Throws `not_found`. */
export async function openDump(
  store: Store,
  version: string,
): Promise<{ dump: Dump; body: () => ReadableStream<Uint8Array> }> {
  const dumps = await readDumps(store);
  const dump = [dumps?.latest, dumps?.before].find((one) => one?.version === version);
  if (!dump) throw notFound("There is no such file. The manifest lists the ones we have");
  return { dump, body: () => ReadableStream.from(chunksOf(store, dump)) };
}

async function* chunksOf(store: Store, { version, chunks }: Dump): AsyncGenerator<Uint8Array> {
  for await (const chunk of readChunks(store, chunks, (i) => dumpKeys.chunk(version, i))) {
    // It was deleted in the meantime. The client sees that the file ends too early.
    if (chunk === null) throw new Error("A part of the dump is gone");
    yield chunk as Uint8Array;
  }
}
