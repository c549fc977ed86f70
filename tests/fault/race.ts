import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { createDeps, type Deps } from "@/lib/app/deps.ts";
import { systemClock } from "@/lib/clock.ts";
import { parseEnv } from "@/lib/env.ts";
import { Caller } from "@/lib/http/caller.ts";
import { ListingInput } from "@/lib/listings/schema.ts";
import { createListing } from "@/lib/listings/service.ts";
import { TEST_SETTINGS } from "../support/settings.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
const PROCESSES = 3;

export interface Line {
  worker: number;
  ok: boolean;
  code?: string;
  voter?: number;
  // deno-lint-ignore no-explicit-any -- the result of whatever service the scenario calls
  result?: any;
}

/**
 * Runs a scenario in several processes on one new KV file; returns every line and the opened file.
 */
export async function race(
  scenario: string,
  /** Writes the scenario's initial data. */
  prepare: (deps: Deps) => Promise<unknown> = createRacedListing,
): Promise<{ lines: Line[]; kv: Deno.Kv } & AsyncDisposable> {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/kv.sqlite3`;
  const kv = await Deno.openKv(file);
  const env = parseEnv({ ...TEST_SETTINGS, KV_PATH: file });
  const deps = createDeps(env, { kv, salt: env.hashSalt!, clock: systemClock });
  await prepare(deps);
  const workers = await Promise.all(
    Array.from({ length: PROCESSES }, (_, worker) => startWorker(file, scenario, String(worker))),
  );
  const outputs = await Promise.all(workers.map(async (worker) => {
    await worker.stdin.close();
    return await worker.output();
  }));
  const lines = outputs.flatMap(({ code, stdout, stderr }) => {
    assertEquals(code, 0, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
  });
  return {
    lines,
    kv,
    async [Symbol.asyncDispose]() {
      kv.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Starts a worker and waits until it is ready or has failed: all of them start together. */
async function startWorker(...args: string[]): Promise<Deno.ChildProcess> {
  const permissions = ["--allow-read", "--allow-write", "--allow-env"];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", ...permissions, WORKER, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  reader.releaseLock();
  return child;
}

/** The listing `race`, the start of vote scenarios. */
function createRacedListing(deps: Deps): Promise<unknown> {
  return createListing(deps, {
    input: ListingInput.parse({ name: "Race", url: "https://race.example.com", tagline: "Set" }),
    caller: new Caller({
      peer: "192.0.2.1",
      headers: new Headers(),
      identity: deps.identity,
      trustedProxies: 0,
    }),
  });
}
