/** Database files: copied, read and removed as a whole. */
import { dirname } from "node:path";
import * as sqlite from "node:sqlite";
import { SettingError } from "./env.ts";
import { inOneLine } from "./errors.ts";
import { checkFile, makePrivate } from "./kv/open.ts";

/** A refused backup or restore. Its message is one clear line. */
export class BackupError extends Error {}

/** More pages than any database has. */
const ALL_PAGES = 2 ** 30;

/**
 * Makes a backup readable through a copy in a writable folder: its own may be read-only, and it
 * must not change. Throws `BackupError` or `SettingError`.
 */
export async function withBackup<T>(
  file: string,
  folder: string,
  read: (kv: Deno.Kv) => Promise<T>,
): Promise<T> {
  await sizeOf(file);
  const copy = `${folder}/backup-being-read.sqlite3`;
  await removeDatabase(copy);
  try {
    await takeCopy(file, copy);
    using kv = await Deno.openKv(copy);
    await refuseEmpty(kv, file);
    return await read(kv);
  } finally {
    await removeDatabase(copy);
  }
}

/**
 * Refuses a database without entries: SQLite accepts an empty file, or another program's database,
 * as a valid one. Throws `BackupError`.
 */
export async function refuseEmpty(source: Deno.Kv, file: string): Promise<void> {
  if (await isEmpty(source)) throw new BackupError(`${file} is empty, so it is not a backup`);
}

/** True if a database has no entry. */
export async function isEmpty(kv: Deno.Kv): Promise<boolean> {
  return (await kv.list({ prefix: [] }, { limit: 1 }).next()).done === true;
}

/** Turns a disk or KV server failure into one clear line. */
export async function clearly(what: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${what} failed: ${inOneLine(error)}`);
  }
}

/**
 * Copies a database's contents into a new file, in one read transaction, whatever other processes
 * write. Unlike a copy of all pages, it has no free space, where deleted text stays until
 * overwritten. Deno requires every permission for this.
 */
export async function copyEntries(from: string, to: string): Promise<void> {
  await createPrivate(to);
  const database = openSource(from);
  try {
    await clearly(`Copying ${from}`, async () => {
      database.prepare("VACUUM INTO ?").run(to);
      await writeOut(to);
    });
  } finally {
    database.close();
  }
}

function openSource(path: string): sqlite.DatabaseSync {
  if (sqlite.backup === undefined) {
    throw new BackupError(`Deno ${Deno.version.deno} can't copy a database; use 2.5.5 or newer`);
  }
  return new sqlite.DatabaseSync(path, { readOnly: true, timeout: 10_000 });
}

/**
 * SQLite's online backup, all pages in one step: one read transaction, whatever other processes
 * write.
 */
async function copyFile(from: string, to: string): Promise<void> {
  const database = openSource(from);
  try {
    await clearly(`Copying ${from}`, () => sqlite.backup(database, to, { rate: ALL_PAGES }));
  } finally {
    database.close();
  }
}

/**
 * Copies a backup file; the copy's folder is created if needed. Without a `-wal` file next to it,
 * the backup is complete and nobody is writing it, so its bytes are enough. It can then be on a
 * read-only disk, where SQLite couldn't create its own files.
 */
export async function takeCopy(from: string, to: string): Promise<void> {
  await createPrivate(to);
  const hasLog = await Deno.stat(`${from}-wal`).then(() => true, () => false);
  if (hasLog) return await copyFile(from, to);
  await clearly(`Copying ${from}`, async () => {
    await Deno.copyFile(from, to);
    await Deno.chmod(to, 0o600);
    await writeOut(to);
    checkFile(to, { whole: true });
  });
}

/** Waits until a file is on the disk, so that it can be renamed. */
async function writeOut(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true });
  await file.sync();
}

/** Creates an empty file, and its folder, that only its owner can read. */
export async function createPrivate(path: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await makePrivate(path);
}

/** A database's files: its own and those SQLite keeps next to it. */
export function filesOf(path: string): string[] {
  return ["", "-wal", "-shm", "-journal"].map((ending) => path + ending);
}

/** Removes leftovers of an interrupted run. */
export async function removeDatabase(path: string): Promise<void> {
  for (const file of filesOf(path)) {
    await Deno.remove(file).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
}

/** A file's size, for people. Throws `SettingError` if there is no file. */
export async function sizeOf(path: string): Promise<string> {
  try {
    return `${((await Deno.stat(path)).size / 1_048_576).toFixed(1)} MiB`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new SettingError(`There is no file ${path}`);
    throw error;
  }
}
