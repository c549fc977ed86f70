import { statfs } from "node:fs";
import { promisify } from "node:util";
import type { Env } from "../env.ts";
import { inOneLine } from "../errors.ts";
import { dataFolder } from "../kv/open.ts";

/** With less than this free, in bytes, the disk is nearly full. */
const FREE_MIN = 500_000_000;

/**
 * How many bytes are free on the disk of the embedded KV file; null where there is no such file.
 * Throws where this may not be asked.
 */
export async function freeBytes(env: Pick<Env, "kvPath">): Promise<number | null> {
  const folder = dataFolder(env);
  if (folder === undefined) return null;
  const { bavail, bsize } = await promisify(statfs)(folder);
  return bavail * bsize;
}

/**
 * What is wrong with a disk, as a sentence, or null. `free` returns its free bytes (null if there is
 * no disk).
 */
export async function diskProblem(free: () => Promise<number | null>): Promise<string | null> {
  try {
    if ((await free() ?? Infinity) >= FREE_MIN) return null;
    return "The database disk has less than 500 MB free";
  } catch (error) {
    const reason = error instanceof Deno.errors.NotCapable
      ? "the server needs --allow-sys=statfs"
      : inOneLine(error);
    return `Free disk space is unknown: ${reason}`;
  }
}
