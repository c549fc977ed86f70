import { DatabaseSync } from "node:sqlite";
import type { Env } from "../env.ts";
import { SettingError } from "../env.ts";

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

/** Opens the KV that the settings name, making the folder of a file. Throws `SettingError` in one line. */
export async function openKv(env: Pick<Env, "kvPath">): Promise<Deno.Kv> {
  const folder = dataFolder(env);
  try {
    if (folder !== undefined) {
      await Deno.mkdir(folder, { recursive: true });
      await checkFile(env.kvPath!);
    }
    return await Deno.openKv(env.kvPath);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new SettingError(`Bad setting: KV_PATH ${env.kvPath} cannot be opened: ${reason}`);
  }
}

/**
 * Lets SQLite look through a database that is there before Deno opens it: Deno dies of a broken one without
 * saying which. Throws what SQLite says.
 */
async function checkFile(path: string): Promise<void> {
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
      const reason = error instanceof Deno.errors.NotFound ? "names no database" : String(error);
      throw new SettingError(`Bad setting: KV_PATH ${env.kvPath} ${reason}`);
    }
  }
  return await openKv(env);
}
