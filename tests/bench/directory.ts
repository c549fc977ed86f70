import { createDeps, type Deps } from "@/lib/app/deps.ts";
import { parseEnv } from "@/lib/env.ts";
import { seedDirectory } from "./seed.ts";

const seeded = new Map<number, Promise<string>>();

/** A KV file with so many listings, made once a run: scenarios only read it, and write to copies. */
export function directoryOf(count: number): Promise<string> {
  const known = seeded.get(count) ?? seedDirectory(count);
  seeded.set(count, known);
  return known;
}

/** The dependencies over a KV file, the catalogue empty. */
export async function openDirectory(kvPath: string): Promise<Deps & { kv: Deno.Kv }> {
  const kv = await Deno.openKv(kvPath);
  const env = parseEnv({
    KV_PATH: kvPath,
    LOG_LEVEL: "silent",
    BASE_URL: "http://projectory.test",
  });
  return { ...createDeps(env, { kv, salt: "x".repeat(32) }), kv };
}

/** The catalogue of a KV file, loaded. */
export async function openCatalogue(kvPath: string): Promise<Deps & { kv: Deno.Kv }> {
  const deps = await openDirectory(kvPath);
  await deps.sync.load();
  return deps;
}

/** What a script of `tests/bench/probes` prints: one JSON object of figures. */
export async function probe(
  script: string,
  args: string[],
): Promise<Record<string, number>> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", `tests/bench/probes/${script}.ts`, ...args],
    cwd: new URL("../../", import.meta.url),
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Makes a copy of the directory of `size` listings at a path; returns the path. */
export async function copyOf(size: number, path: string): Promise<string> {
  await Deno.copyFile(await directoryOf(size), path);
  return path;
}
