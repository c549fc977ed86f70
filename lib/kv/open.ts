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
    if (folder !== undefined) await Deno.mkdir(folder, { recursive: true });
    return await Deno.openKv(env.kvPath);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new SettingError(`Bad setting: KV_PATH ${env.kvPath} cannot be opened: ${reason}`);
  }
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
