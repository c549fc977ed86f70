import { statfs } from "node:fs/promises";
import type { Env } from "../env.ts";
import { dataFolder } from "../kv/open.ts";

/**
 * How many bytes are free on the disk of the embedded KV file; null where there is no such file, or
 * where this may not be asked (`--allow-sys=statfs`).
 */
export async function freeBytes(env: Pick<Env, "kvPath">): Promise<number | null> {
  const folder = dataFolder(env);
  if (folder === undefined) return null;
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
