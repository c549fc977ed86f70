import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Env, SettingError } from "../env.ts";
import { inOneLine } from "../errors.ts";
import { attempt, OPERATION_DEADLINE_MS } from "./attempt.ts";
import { CHECKS_MAX, SERVER_CHECKS_MAX } from "./group_commit.ts";
import { isLocked, PATIENCE_MS, pause } from "./retry.ts";

/** True if KV is a local file or in memory, not a server. */
export function isEmbedded(env: Pick<Env, "kvPath">): boolean {
  return env.kvPath !== undefined && !/^https?:/.test(env.kvPath);
}

/** The folder of the embedded KV file; undefined for memory and for servers. */
export function dataFolder(env: Pick<Env, "kvPath">): string | undefined {
  if (!isEmbedded(env) || env.kvPath === ":memory:") return undefined;
  return dirname(env.kvPath!);
}

/**
 * The most checks in one operation on the KV named in the settings. Tests run in memory, so the
 * limit of servers applies there too.
 */
export function checksMaxOf(env: Pick<Env, "kvPath">): number {
  return dataFolder(env) === undefined ? SERVER_CHECKS_MAX : CHECKS_MAX;
}

/**
 * Opens the KV named in the settings. Creates the folder of a file, or reads once from a server to
 * check that it responds. `whole` checks every page of a file. Throws `SettingError` with one line
 * saying what to do.
 */
export async function openKv(
  env: Pick<Env, "kvPath">,
  { whole = false } = {},
): Promise<Deno.Kv> {
  const folder = dataFolder(env);
  try {
    if (folder !== undefined) {
      await Deno.mkdir(folder, { recursive: true });
      return await openFile(env.kvPath!, { whole });
    }
    const kv = await Deno.openKv(env.kvPath);
    if (isEmbedded(env)) return kv;
    try {
      // Opening proves nothing: a server can list its addresses and then refuse or ignore requests
      // to each.
      await attempt(() => kv.get(["probe"]), OPERATION_DEADLINE_MS);
      return kv;
    } catch (error) {
      kv.close();
      throw error;
    }
  } catch (error) {
    const reason = inOneLine(error);
    const advice = isEmbedded(env) ? fileAdvice(reason) : serverAdvice(reason);
    throw new SettingError(`Bad setting: KV_PATH ${env.kvPath} cannot be opened: ${advice}`);
  }
}

/**
 * Opens a KV file. During creation, SQLite sometimes refuses without waiting, and `deno serve
 * --parallel` creates it from several threads. So we retry for ten seconds.
 */
async function openFile(path: string, { whole }: { whole: boolean }): Promise<Deno.Kv> {
  await makePrivate(path);
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let tries = 1;; tries++) {
    try {
      checkFile(path, { whole });
      return await Deno.openKv(path);
    } catch (error) {
      if (!isLocked(error) || performance.now() > giveUpAt) throw error;
      await pause(tries);
    }
  }
}

/** Deno's messages for an unusable KV server, and our advice to the operator. */
const SERVER_ADVICE: readonly [RegExp, string][] = [
  [/Missing DENO_KV_ACCESS_TOKEN/, "set DENO_KV_ACCESS_TOKEN to the token of the KV server"],
  [/status[ =]40[13]/, "the KV server rejects DENO_KV_ACCESS_TOKEN; set it to the server's token"],
  [
    /status[ =][34]\d\d|not a valid KV Connect/,
    "there is no KV server at this address; correct the address",
  ],
  [
    /Requires net access/,
    "this task is not allowed to connect to it; use `deno task serve:remote`",
  ],
  [/dns error/, "there is no such host; correct the address"],
  [
    /InvalidContentType|certificate/,
    "the server there has no trusted TLS certificate; correct the address",
  ],
];

/**
 * SQLite's messages for an unusable file, and our advice to the operator. It reports a full disk as
 * an I/O error, which sounds like a broken file.
 */
const FILE_ADVICE: readonly [RegExp, string][] = [
  [/disk (I\/O error|is full)/, "free space if the disk is full"],
  [
    /unable to open|read-?only|denied/i,
    "this user must be able to write the file, its folder, and the -wal and -shm files next to it",
  ],
  [/locked|busy/, "another process is using it; run fuser to see which"],
  [
    /malformed|not a database/,
    "if this is the right file, it is damaged; restore the latest backup",
  ],
];

/** Deno advises more permissions, but the real cause is a path outside `data/`. */
function fileAdvice(reason: string): string {
  if (/^Requires \w+ access/.test(reason)) return "this task can only write to data/";
  const advice = FILE_ADVICE.find(([pattern]) => pattern.test(reason))?.[1];
  return advice === undefined ? reason : `${reason}; ${advice}`;
}

function serverAdvice(reason: string): string {
  const advice = SERVER_ADVICE.find(([pattern]) => pattern.test(reason))?.[1];
  return advice ?? `the KV server is not responding; start it, or correct the address (${reason})`;
}

/**
 * Creates an empty file that only its owner can read, since a database contains contact addresses.
 * SQLite's own files next to it get the same mode. An existing file is left alone.
 */
export async function makePrivate(path: string): Promise<void> {
  try {
    (await Deno.open(path, { write: true, createNew: true, mode: 0o600 })).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/**
 * Makes SQLite check that an existing database is sound and writable before Deno opens it, since
 * Deno crashes on a broken one without naming it. Startup reads only the first row of each table,
 * because `whole` takes 6 ms per megabyte. Throws SQLite's error.
 */
export function checkFile(path: string, { whole }: { whole: boolean }): void {
  const database = new DatabaseSync(path, { timeout: 1_000 });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) database.prepare(`SELECT * FROM "${name}" LIMIT 1`).get();
    const check = whole ? database.prepare("PRAGMA quick_check(1)").get()!.quick_check : "ok";
    if (check !== "ok") throw new Error(`malformed: ${check}`);
    // Deno opens a read-only file, then panics when it deletes expired entries.
    database.exec("BEGIN IMMEDIATE; CREATE TABLE probe (n); ROLLBACK");
  } finally {
    database.close();
  }
}

/**
 * Opens the KV for operator commands, which must not create a database when a path is wrong. Throws
 * `SettingError`.
 */
export async function openExistingKv(
  env: Pick<Env, "kvPath">,
  options?: { whole: boolean },
): Promise<Deno.Kv> {
  if (isEmbedded(env) && env.kvPath !== ":memory:") {
    try {
      await Deno.stat(env.kvPath!);
    } catch (error) {
      const reason = error instanceof Deno.errors.NotFound
        ? "does not exist"
        : `cannot be opened: ${fileAdvice(inOneLine(error))}`;
      throw new SettingError(`Bad setting: KV_PATH ${env.kvPath} ${reason}`);
    }
  }
  return await openKv(env, options);
}
