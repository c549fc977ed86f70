import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createDeps, type Deps } from "@/lib/app/deps.ts";
import { systemClock } from "@/lib/clock.ts";
import { parseEnv } from "@/lib/env.ts";
import { Caller } from "@/lib/http/caller.ts";
import { ListingInput } from "@/lib/listings/schema.ts";
import { createListing } from "@/lib/listings/service.ts";
import { TEST_SETTINGS } from "../support/settings.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));

/** Start once, because starting them takes longer than any scenario. */
const workers = Array.from({ length: 3 }, (_, n) => startWorker(n));
Deno.test.afterAll(async () => void await Promise.all(workers.map((worker) => worker.stop())));

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
  for (const worker of workers) await worker.send(JSON.stringify([file, scenario]));
  for (const worker of workers) await worker.readTo("ready");
  for (const worker of workers) await worker.send("");
  const outputs = await Promise.all(workers.map((worker) => worker.readTo("done")));
  const lines = outputs.flat().map((line) => JSON.parse(line));
  return {
    lines,
    kv,
    async [Symbol.asyncDispose]() {
      kv.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function startWorker(n: number) {
  const permissions = ["--allow-read", "--allow-write", "--allow-env"];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", ...permissions, WORKER, String(n)],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  const output = createInterface(Readable.from(child.stdout))[Symbol.asyncIterator]();
  return {
    send: (line: string) => input.write(new TextEncoder().encode(`${line}\n`)),
    async readTo(end: string): Promise<string[]> {
      const lines: string[] = [];
      for (;;) {
        const { done, value } = await output.next();
        if (done) throw new Error("A worker has ended; its error is above");
        if (value === end) return lines;
        lines.push(value);
      }
    },
    async stop(): Promise<void> {
      await input.close();
      await child.status;
    },
  };
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
