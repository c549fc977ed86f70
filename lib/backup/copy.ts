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
import { logIdAt, logIdTime } from "../kv/log_id.ts";
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
const MAX_ROUNDS = 1_000;
/** How far back (ms) each round looks for transactions. Clocks may differ by this much. */
const RECENT_MS = 15_000;

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
  let latest = "";
  const look = async (range: { start?: Deno.KvKey; end?: Deno.KvKey } = {}) => {
    const markers = source.list({ prefix: storeKeys.markers, ...range }, { batchSize: 500 });
    for await (const { key, value } of markers) {
      const id = String(key[1]);
      if (seen.has(id) || !Array.isArray(value)) continue;
      seen.add(id);
      if (id > latest) latest = id;
      for (const key of value) if (!isLeftOut(key)) written.set(keyId(key), key);
    }
  };
  await copyAll(source, target, progress, () => look());
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // Reading all markers takes too long: on a busy site, there would always be a new one.
    const recent = storeKeys.marker(logIdAt(logIdTime(latest) - RECENT_MS));
    await look({ start: recent });
    // A transaction that took long has an older id.
    if (written.size === 0) await look({ end: recent });
    if (written.size === 0) return;
    await copyKeys(source, target, [...written.values()]);
    written.clear();
  }
  throw new BackupError("The database kept changing; take the backup at a quieter time");
}

/** Copies these keys, or deletes them if they are gone. */
async function copyKeys(source: Deno.Kv, target: Deno.Kv, keys: Deno.KvKey[]): Promise<void> {
  for (let i = 0; i < keys.length; i += GET_MANY_MAX) {
    const operation = target.atomic();
    const entries = await source.getMany(keys.slice(i, i + GET_MANY_MAX));
    for (const { key, value, versionstamp } of entries) {
      if (versionstamp === null) operation.delete(key);
      else operation.set(key, value, { expireIn: lifetimeOf(key) });
    }
    await operation.commit();
  }
}

/** True for snapshots and dumps. They may be newer than the records copied before them. */
function isLeftOut(key: Deno.KvKey): boolean {
  return isSnapshotKey(key) || isDumpKey(key);
}

/**
 * Copies every entry except snapshots and dumps, keeping types, in commits of limited size. Calls
 * `between` once in a while.
 */
export async function copyAll(
  source: Deno.Kv,
  target: Deno.Kv,
  progress: Progress,
  between?: () => Promise<void>,
): Promise<void> {
  let operation = target.atomic();
  let inBatch = 0;
  let bytes = 0;
  let total = 0;
  const commit = async () => {
    if (inBatch > 0) await operation.commit();
    operation = target.atomic();
    inBatch = bytes = 0;
  };
  for await (const { key, value } of source.list({ prefix: [] }, { batchSize: 500 })) {
    if (isLeftOut(key)) continue;
    operation.set(key, value, { expireIn: lifetimeOf(key) });
    bytes += 200 +
      JSON.stringify(value, (_, v) => typeof v === "bigint" ? String(v) : v).length * 3;
    if (++inBatch >= BATCH_ENTRIES || bytes > BATCH_BYTES) await commit();
    if (++total % 10_000 === 0) {
      progress(`${total} entries`);
      await between?.();
    }
  }
  await commit();
  progress(`${total} entries`);
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
