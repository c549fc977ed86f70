import { DatabaseSync } from "node:sqlite";
import { type Env, SettingError } from "../env.ts";
import { attempt, OPERATION_DEADLINE_MS } from "./attempt.ts";

/** Whether KV is a file of this machine (or memory), not a server. */
export function isEmbedded(env: Pick<Env, "kvPath">): boolean {
  return env.kvPath !== undefined && !/^https?:/.test(env.kvPath);
}

/** The folder of the embedded KV file; undefined for memory and for servers. */
export function dataFolder(env: Pick<Env, "kvPath">): string | undefined {
  if (!isEmbedded(env) || env.kvPath === ":memory:") return undefined;
  const slash = env.kvPath!.lastIndexOf("/");
  return slash > 0 ? env.kvPath!.slice(0, slash) : ".";
}

/**
 * Opens the KV that the settings name, making the folder of a file and reading once from a server. Throws
 * `SettingError`, in one line that says what to do.
 */
export async function openKv(env: Pick<Env, "kvPath">): Promise<Deno.Kv> {
  const folder = dataFolder(env);
  try {
    if (folder !== undefined) {
      await Deno.mkdir(folder, { recursive: true });
      await checkFile(env.kvPath!);
    }
    const kv = await Deno.openKv(env.kvPath);
    if (isEmbedded(env)) return kv;
    try {
      // A server may tell its addresses, and refuse or be silent at each of them.
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

/** What was thrown, in one line: what an operator is told. */
export function inOneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n").map((line) => line.trim()).filter(Boolean).join(" ");
}

/** What Deno says when a KV server cannot be used, and what an operator is told to do about it. */
const SERVER_ADVICE: readonly [RegExp, string][] = [
  [/Missing DENO_KV_ACCESS_TOKEN/, "set DENO_KV_ACCESS_TOKEN to the token of the KV server"],
  [/status[ =]40[13]/, "the KV server refuses DENO_KV_ACCESS_TOKEN; set it to the server's own"],
  [
    /status[ =][34]\d\d|not a valid KV Connect/,
    "what answers there is no KV server; correct the address",
  ],
  [/Requires net access/, "this task may not speak to it; use `deno task serve:remote`"],
  [/dns error/, "no host has this name; correct the address"],
  [
    /InvalidContentType|certificate/,
    "nothing answers there with TLS that is trusted; correct the address",
  ],
];

/** More permissions, which Deno advises, are not what is missing. */
function fileAdvice(reason: string): string {
  return /^Requires \w+ access/.test(reason) ? "this task may write in data/ alone" : reason;
}

function serverAdvice(reason: string): string {
  const advice = SERVER_ADVICE.find(([pattern]) => pattern.test(reason))?.[1];
  return advice ?? `the KV server does not answer; start it, or correct the address (${reason})`;
}

/**
 * Lets SQLite look through a database that is there before Deno opens it: Deno dies of a broken one without
 * saying which. Throws what SQLite says.
 */
export async function checkFile(path: string): Promise<void> {
  try {
    await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  using database = new DatabaseSync(path, { timeout: 10_000 });
  const { quick_check } = database.prepare("PRAGMA quick_check(1)").get() as {
    quick_check: string;
  };
  if (quick_check !== "ok") throw new Error(quick_check);
}

/** The same for commands, which make no new database where a path is wrong. Throws `SettingError`. */
export async function openExistingKv(env: Pick<Env, "kvPath">): Promise<Deno.Kv> {
  if (isEmbedded(env) && env.kvPath !== ":memory:") {
    try {
      await Deno.stat(env.kvPath!);
    } catch (error) {
      const reason = error instanceof Deno.errors.NotFound
        ? "names no database"
        : `cannot be opened: ${fileAdvice(inOneLine(error))}`;
      throw new SettingError(`Bad setting: KV_PATH ${env.kvPath} ${reason}`);
    }
  }
  return await openKv(env);
}
