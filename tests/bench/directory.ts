import { delay } from "@/lib/clock.ts";
import { startOurs } from "./harness.ts";
import { seedDirectory } from "./seed.ts";

const seeded = new Map<number, Promise<string>>();

/**
 * A KV file with `count` listings, made once per run. A server has already run on it, so it has
 * what a server stores for its next start. Nothing may write to it: use `copyOf`.
 */
function directoryOf(count: number): Promise<string> {
  const known = seeded.get(count) ?? makeDirectory(count);
  seeded.set(count, known);
  return known;
}

async function makeDirectory(count: number): Promise<string> {
  const kvPath = await seedDirectory(count);
  {
    await using _ours = await startOurs(kvPath);
    await delay(SETTLE_MS);
  }
  // The last connection to close merges SQLite's log into the file.
  (await Deno.openKv(kvPath)).close();
  return kvPath;
}

/** How long (ms) a server runs on a new directory, to write what the next start reads. */
const SETTLE_MS = 5_000;

/** Makes a copy of the directory of `count` listings; returns its path. */
export async function copyOf(count: number): Promise<string> {
  const path = `${await Deno.makeTempDir()}/kv.sqlite3`;
  await Deno.copyFile(await directoryOf(count), path);
  return path;
}
