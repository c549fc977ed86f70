/** Files that have a database: copied, read and removed whole. */
import { dirname } from "node:path";
import * as sqlite from "node:sqlite";
import { SettingError } from "./env.ts";
import { inOneLine } from "./errors.ts";
import { checkFile, makePrivate } from "./kv/open.ts";

/** A backup or restore that is refused; its message is one clear line. */
export class BackupError extends Error {}

/** More pages than any database has. */
const ALL_PAGES = 2 ** 30;

/**
 * Lets a backup be read, by a copy in a folder that we may write: its own may be read-only, and it must
 * stay as it is. Throws `BackupError` or `SettingError`.
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

/** To SQLite a file without a byte is a sound database, and so is one that another program made. */
export async function refuseEmpty(source: Deno.Kv, file: string): Promise<void> {
  if (await isEmpty(source)) throw new BackupError(`${file} is empty, so it is not a backup`);
}

/** Whether a database has no entry. */
export async function isEmpty(kv: Deno.Kv): Promise<boolean> {
  return (await kv.list({ prefix: [] }, { limit: 1 }).next()).done === true;
}

/** Turns a failure of the disk or KV server into one clear line. */
export async function clearly(what: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${what} failed: ${inOneLine(error)}`);
  }
}

/**
 * Copies what a database has into a new file: in one read transaction, whatever other processes
 * write. Unlike a copy of all pages, it has no free space, where deleted text lies until it is
 * overwritten. Deno demands every permission for it.
 */
export async function copyEntries(from: string, to: string): Promise<void> {
  await createPrivate(to);
  const database = new sqlite.DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  try {
    await clearly("Copying", async () => {
      database.prepare("VACUUM INTO ?").run(to);
      using copied = await Deno.open(to, { write: true });
      // It gets its name only when it is on the disk.
      await copied.sync();
    });
  } finally {
    database.close();
  }
}

/**
 * SQLite's online backup, all pages in one step: one read transaction, whatever other processes
 * write.
 */
async function copyFile(from: string, to: string): Promise<void> {
  await createPrivate(to);
  // Deno 2.5.0 has none.
  if (sqlite.backup === undefined) {
    throw new BackupError(`Deno ${Deno.version.deno} can't copy a database; use a newer version`);
  }
  const database = new sqlite.DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  try {
    await clearly("Copying", () => sqlite.backup(database, to, { rate: ALL_PAGES }));
  } finally {
    database.close();
  }
}

/**
 * Copies a backup file. If no `-wal` lies beside it, it is complete and nobody writes it, so its
 * bytes are enough. It may then lie on a read-only disk, where SQLite could not make its own files.
 */
export async function takeCopy(from: string, to: string): Promise<void> {
  const hasLog = await Deno.stat(`${from}-wal`).then(() => true, () => false);
  if (hasLog) return await copyFile(from, to);
  await clearly("Copying", async () => {
    await Deno.copyFile(from, to);
    await Deno.chmod(to, 0o600);
    using copied = await Deno.open(to, { write: true });
    // It gets its name only when it is on the disk.
    await copied.sync();
    await checkFile(to, { whole: true });
  });
}

/** Creates an empty file, and its folder, that its owner alone can read. */
export async function createPrivate(path: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await makePrivate(path);
}

/** The files of a database: its own, and those that SQLite keeps beside it. */
export function filesOf(path: string): string[] {
  return ["", "-wal", "-shm", "-journal"].map((ending) => path + ending);
}

/** Removes what an interrupted run has left. */
export async function removeDatabase(path: string): Promise<void> {
  for (const file of filesOf(path)) {
    await Deno.remove(file).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
}

/** The size of a file, for people. Throws `SettingError` if there is none. */
export async function sizeOf(path: string): Promise<string> {
  try {
    return `${((await Deno.stat(path)).size / 1_048_576).toFixed(1)} MiB`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new SettingError(`There is no file ${path}`);
    throw error;
  }
}
