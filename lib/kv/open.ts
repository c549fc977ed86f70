import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Env, SettingError } from "../env.ts";
import { inOneLine } from "../errors.ts";
import { attempt, OPERATION_DEADLINE_MS } from "./attempt.ts";
import { isLocked, PATIENCE_MS, pause } from "./retry.ts";

/** Whether KV is a file of this machine (or memory), not a server. */
export function isEmbedded(env: Pick<Env, "kvPath">): boolean {
  return env.kvPath !== undefined && !/^https?:/.test(env.kvPath);
}

/** The folder of the embedded KV file; undefined for memory and for servers. */
export function dataFolder(env: Pick<Env, "kvPath">): string | undefined {
  if (!isEmbedded(env) || env.kvPath === ":memory:") return undefined;
  return dirname(env.kvPath!);
}

/**
 * Opens the KV that the settings name. Makes the folder of a file; reads once from a server, to see
 * that it answers. `whole` has every page of a file checked. Throws `SettingError` with one line that
 * says what to do.
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
      // Opening does not tell: a server may list its addresses and then refuse, or not answer, at
      // each.
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
 * Opens a KV file. While a database is made, SQLite refuses now and then without waiting, and
 * `deno serve --parallel` makes it in several threads at once; so it is tried again for ten seconds.
 */
async function openFile(path: string, { whole }: { whole: boolean }): Promise<Deno.Kv> {
  await makePrivate(path);
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let tries = 1;; tries++) {
    try {
      await checkFile(path, { whole });
      return await Deno.openKv(path);
    } catch (error) {
      if (!isLocked(error) || performance.now() > giveUpAt) throw error;
      await pause(tries);
    }
  }
}

/** What Deno says when a KV server cannot be used, and what an operator is told to do about it. */
const SERVER_ADVICE: readonly [RegExp, string][] = [
  [/Missing DENO_KV_ACCESS_TOKEN/, "set DENO_KV_ACCESS_TOKEN to the token of the KV server"],
  [/status[ =]40[13]/, "the KV server rejects DENO_KV_ACCESS_TOKEN; set it to the server's token"],
  [
    /status[ =][34]\d\d|not a valid KV Connect/,
    "there is no KV server at this address; correct it",
  ],
  [
    /Requires net access/,
    "this task is not allowed to connect to it; use `deno task serve:remote`",
  ],
  [/dns error/, "there is no such host; correct the address"],
  [
    /InvalidContentType|certificate/,
    "no server with a trusted TLS certificate answers there; correct the address",
  ],
];

/**
 * What SQLite says when a file cannot be used, and what an operator is told to do about it. It calls
 * a full disk an error of input or output, which sounds like a broken file.
 */
const FILE_ADVICE: readonly [RegExp, string][] = [
  [/disk (I\/O error|is full)/, "free space if the disk is full"],
  [
    /unable to open|read-?only|denied/i,
    "this user must be able to write the file, its folder, and the -wal and -shm files " +
    "beside it",
  ],
  [/locked|busy/, "another process is using it; run fuser to see which"],
  [
    /malformed|not a database/,
    "if this is the right file, it is damaged; restore the latest backup",
  ],
];

/** Deno advises more permissions, but what is missing is a path in `data/`. */
function fileAdvice(reason: string): string {
  if (/^Requires \w+ access/.test(reason)) return "this task may only write in data/";
  const advice = FILE_ADVICE.find(([pattern]) => pattern.test(reason))?.[1];
  return advice === undefined ? reason : `${reason}; ${advice}`;
}

function serverAdvice(reason: string): string {
  const advice = SERVER_ADVICE.find(([pattern]) => pattern.test(reason))?.[1];
  return advice ?? `the KV server does not answer; start it, or correct the address (${reason})`;
}

/**
 * Makes an empty file that only its owner may read, because a database holds contact addresses.
 * SQLite gives its own files beside it the same mode. A file that is there stays as it is.
 */
export async function makePrivate(path: string): Promise<void> {
  try {
    (await Deno.open(path, { write: true, createNew: true, mode: 0o600 })).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/**
 * Has SQLite check an existing database, and whether it may be written, before Deno opens it, because
 * Deno crashes on a broken one without naming it. A start reads only the first row of each table, for
 * `whole` takes 6 ms a megabyte. Throws what SQLite says.
 */
export async function checkFile(path: string, { whole }: { whole: boolean }): Promise<void> {
  try {
    await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  const database = new DatabaseSync(path, { timeout: 1_000 });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) database.prepare(`SELECT * FROM "${name}" LIMIT 1`).get();
    const check = whole ? database.prepare("PRAGMA quick_check(1)").get()!.quick_check : "ok";
    if (check !== "ok") throw new Error(`malformed: ${check}`);
    // Deno opens a file that it may only read, and panics when it is to delete what has expired.
    database.exec("BEGIN IMMEDIATE; CREATE TABLE probe (n); ROLLBACK");
  } finally {
    database.close();
  }
}

/**
 * Opens the KV for operator commands, which must not make a new database when a path is wrong.
 * Throws `SettingError`.
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
        ? "is not a database"
        : `cannot be opened: ${fileAdvice(inOneLine(error))}`;
      throw new SettingError(`Bad setting: KV_PATH ${env.kvPath} ${reason}`);
    }
  }
  return await openKv(env, options);
}
