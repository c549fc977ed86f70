import { MINUTE_MS, systemClock } from "../clock.ts";
import {
  BackupError,
  clearly,
  copyEntries,
  createPrivate,
  filesOf,
  isEmpty,
  refuseEmpty,
  removeDatabase,
  sizeOf,
  takeCopy,
} from "../database_file.ts";
import { isDumpKey } from "../dump/keys.ts";
import type { Env } from "../env.ts";
import { storeKeys } from "../kv/keys.ts";
import { isEmbedded, openExistingKv, openKv } from "../kv/open.ts";
import { GET_MANY_MAX } from "../kv/store.ts";
import { keyId } from "../kv/tx.ts";
import { lifetimeOf } from "../lifetimes.ts";
import { isSnapshotKey } from "../read_model/keys.ts";

/** Reports the progress of a long command, one line at a time. */
export type Progress = (line: string) => void;

/** The maximum number of entries per commit, and roughly how many bytes (KV accepts 800 KiB). */
const BATCH_ENTRIES = 200;
const BATCH_BYTES = 400_000;
/** How many times to copy what was written in the meantime before giving up. */
const MAX_ROUNDS = 200;
/**
 * Most looks go back over only this many of the transactions seen last: `denokv` takes 40 ms longer
 * to answer a larger read.
 */
const RECENT = 10;
/** How often (ms) to report progress and look at all transactions. */
const REPORT_EVERY_MS = 5_000;
/**
 * The longest time (ms) between two looks at all transactions, even if a read is slow. Their keys
 * are listed for three minutes, or less if a server's clock is slow (`LIFETIMES.markers`).
 */
const UNSEEN_MAX_MS = MINUTE_MS;

/**
 * Copies the database to a new file while servers keep writing. An embedded file is copied as of a
 * single moment; a KV server is read until the copy has every commit. The copy is a Deno KV file
 * without deleted data, and gets its name only when complete. Throws `BackupError` if the file
 * exists.
 */
export async function backup(
  env: Pick<Env, "kvPath">,
  file: string,
  progress: Progress,
): Promise<void> {
  await whole(file, "give a new path, or move it out of the way", async (partial) => {
    if (isEmbedded(env)) {
      (await openExistingKv(env, { whole: true })).close();
      progress(`Copying ${env.kvPath}, ${await sizeOf(env.kvPath!)}`);
      await copyEntries(env.kvPath!, partial);
    } else {
      using source = await openKv(env);
      await clearly("Copying", () => copySettled(source, partial, progress));
    }
  });
  progress(`Wrote ${file}, ${await sizeOf(file)}`);
}

/**
 * Restores a backup to an empty place: a path without a database, or a KV server without entries.
 * On a server, expiring entries get their full lifetime again. Throws `BackupError` if the place is
 * not empty, or the backup is.
 */
export async function restore(
  env: Pick<Env, "kvPath">,
  file: string,
  progress: Progress,
): Promise<void> {
  await sizeOf(file);
  if (isEmbedded(env)) {
    const path = env.kvPath!;
    await whole(path, "stop the server and move it out of the way", async (partial) => {
      progress(`Copying ${file}, ${await sizeOf(file)}`);
      await takeCopy(file, partial);
      using copied = await Deno.openKv(partial);
      await refuseEmpty(copied, file);
      await clearly(`Reading ${file}`, () => readAll(copied));
    });
  } else {
    using target = await openKv(env);
    using source = await Deno.openKv(file);
    await refuseEmpty(source, file);
    if (!await isEmpty(target)) {
      throw new BackupError("The KV server is not empty; restore into an empty one");
    }
    await clearly(`Reading ${file}`, () => readAll(source));
    await clearly("Restoring", () => copyAll(source, target, progress));
  }
  progress("Restored");
}

/**
 * Reads every entry: SQLite keeps no checksums, and considers a table with a damaged value sound.
 */
async function readAll(kv: Deno.Kv): Promise<void> {
  for await (const _ of kv.list({ prefix: [] }, { batchSize: BATCH_ENTRIES }));
}

/**
 * Writes a database next to `path`, and gives it that name only once it is complete. A failure
 * leaves nothing behind. A killed process leaves a `.partial` file, and the next run with that name
 * removes it. If there is something at `path`, the refusal gives this advice.
 */
async function whole(
  path: string,
  advice: string,
  write: (partial: string) => Promise<void>,
): Promise<void> {
  await refuseExisting(path, advice);
  const partial = `${path}.partial`;
  await removeDatabase(partial);
  try {
    await write(partial);
    // Another process may have created a database there in the meantime.
    await refuseExisting(path, advice);
    await Deno.rename(partial, path);
  } finally {
    await removeDatabase(partial);
  }
}

/**
 * Copies into a new file while servers keep writing. Every transaction stores a list of the keys it
 * wrote. These are copied again until no transaction has been added since the last look.
 */
export async function copySettled(
  source: Deno.Kv,
  file: string,
  progress: Progress,
): Promise<void> {
  await createPrivate(file);
  using target = await Deno.openKv(file);
  const seen = new Set<string>();
  const written = new Map<string, Deno.KvKey>();
  let lookedAt = systemClock.now();
  const look = async (range: { start?: Deno.KvKey; end?: Deno.KvKey } = {}) => {
    const now = systemClock.now();
    if (now - lookedAt > UNSEEN_MAX_MS) throw changedTooFast();
    const markers = source.list({ prefix: storeKeys.markers, ...range }, { batchSize: 500 });
    for await (const { key, value } of markers) {
      const id = String(key[1]);
      if (seen.has(id) || !Array.isArray(value)) continue;
      seen.add(id);
      for (const key of value) written.set(keyId(key), key);
    }
    if (range.start === undefined) lookedAt = now;
  };
  const between = async (total: number) => {
    progress(`${total} entries`);
    await look();
  };
  progress(`${await copy(listAll(source), target, between)} entries`);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // Reading all markers takes too long: on a busy site, there would always be a new one.
    const recent = storeKeys.marker([...seen].slice(-RECENT).sort()[0] ?? "");
    await look({ start: recent });
    // A transaction that took long, or one by a server whose clock is slow, has an older id.
    if (written.size === 0) await look({ end: recent });
    if (written.size === 0) return;
    const keys = [...written.values()];
    written.clear();
    await copy(readKeys(source, keys), target, between);
  }
  throw changedTooFast();
}

function changedTooFast(): BackupError {
  return new BackupError(
    "The database changed faster than it was read; take the backup at a quieter time, or on the KV server's machine",
  );
}

async function* readKeys(kv: Deno.Kv, keys: Deno.KvKey[]) {
  for (let i = 0; i < keys.length; i += GET_MANY_MAX) {
    yield* await kv.getMany<unknown[]>(keys.slice(i, i + GET_MANY_MAX));
  }
}

/** Copies every entry except snapshots and dumps. */
export async function copyAll(
  source: Deno.Kv,
  target: Deno.Kv,
  progress: Progress,
): Promise<void> {
  const between = (total: number) => progress(`${total} entries`);
  between(await copy(listAll(source), target, between));
}

function listAll(kv: Deno.Kv): Deno.KvListIterator<unknown> {
  return kv.list({ prefix: [] }, { batchSize: 500 });
}

/**
 * Copies entries, keeping types, in commits of limited size, and deletes those that are gone.
 * Leaves out snapshots and dumps, which may be newer than the records copied before them. Calls
 * `between` every few seconds. Returns how many there were.
 */
async function copy(
  entries: AsyncIterable<Deno.KvEntryMaybe<unknown>>,
  target: Deno.Kv,
  between: (total: number) => void | Promise<void>,
): Promise<number> {
  let operation = target.atomic();
  let inBatch = 0;
  let bytes = 0;
  let total = 0;
  let reportedAt = systemClock.now();
  const commit = async () => {
    if (inBatch > 0) await operation.commit();
    operation = target.atomic();
    inBatch = bytes = 0;
  };
  for await (const { key, value, versionstamp } of entries) {
    if (isSnapshotKey(key) || isDumpKey(key)) continue;
    if (versionstamp === null) operation.delete(key);
    else operation.set(key, value, { expireIn: lifetimeOf(key) });
    bytes += 200 +
      JSON.stringify(value, (_, v) => typeof v === "bigint" ? String(v) : v).length * 3;
    if (++inBatch >= BATCH_ENTRIES || bytes > BATCH_BYTES) await commit();
    total++;
    if (systemClock.now() - reportedAt < REPORT_EVERY_MS) continue;
    await between(total);
    reportedAt = systemClock.now();
  }
  await commit();
  return total;
}

/**
 * Refuses a place with a database, or with a leftover `-wal`: SQLite would replay that into the new
 * database.
 */
async function refuseExisting(place: string, advice: string): Promise<void> {
  for (const path of filesOf(place)) {
    try {
      await Deno.lstat(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue;
      throw error;
    }
    throw new BackupError(`${path} already exists; ${advice}`);
  }
}
