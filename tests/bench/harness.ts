import { fileURLToPath } from "node:url";
import { delay } from "@/lib/clock.ts";
import { freePort } from "../support/free_port.ts";
import { taskArgs } from "../support/server.ts";
import { TEST_SETTINGS } from "../support/settings.ts";
import { load, type LoadOptions, type LoadRequest } from "./client.ts";

/** One line of the table. */
export interface Row {
  what: string;
  figure: number;
  /** What the figure counts, such as `ms`, or `of bare` for a ratio. */
  unit: string;
  /** What must hold, if anything must. */
  wanted?: { atLeast?: number; atMost?: number };
  /** What the figure was made of. */
  from?: string;
}

/** A server in a process of its own. */
export interface Server extends AsyncDisposable {
  base: string;
  pid: number;
}

/** What a load reaches: requests a second, and latencies in ms, ascending. */
export interface Load {
  rate: number;
  latencies: Float64Array;
}

/** The list that most requests ask for. */
export const LIST = "/api/v1/projects";

/** Otherwise fetch asks for gzip by itself. */
export const IDENTITY = { headers: { "accept-encoding": "identity" } };

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Starts `deno run` on a script; it must answer on the PORT that it is given. */
export async function startServer(script: string, args: string[]): Promise<Server> {
  const server = spawnDeno(["run", "--allow-all", "--no-check", script, ...args]);
  await answers(server, "/");
  return server;
}

/** What our server runs on beside a KV file. */
export interface OursOptions {
  /** The task of deno.json that is run. */
  task?: "serve" | "serve:remote";
  env?: Record<string, string>;
}

/**
 * Starts the built service on a KV file or address as `deno task serve` does, with its very settings, behind one
 * trusted proxy so that each request can have its network. It need not answer yet.
 */
export async function spawnOurs(
  kvPath: string,
  { task = "serve", env }: OursOptions = {},
): Promise<Server> {
  const isFile = task === "serve";
  const folder = isFile ? kvPath.slice(0, kvPath.lastIndexOf("/")) : await Deno.makeTempDir();
  const args = await taskArgs(task, folder);
  // One for all, since copies of a directory are served too.
  const { HASH_SALT } = TEST_SETTINGS;
  return spawnDeno(args, { KV_PATH: kvPath, HASH_SALT, TRUSTED_PROXIES: "1", ...env });
}

/** Starts the built service as `spawnOurs` does, and waits until it searches: its start is over then. */
export async function startOurs(kvPath: string, options?: OursOptions): Promise<Server> {
  const server = await spawnOurs(kvPath, options);
  await answers(server, `${LIST}?q=ready`);
  return server;
}

function spawnDeno(args: string[], env: Record<string, string> = {}): Server {
  const port = freePort();
  const base = `http://127.0.0.1:${port}`;
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env: { PORT: String(port), LOG_LEVEL: "silent", BASE_URL: base, ...env },
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  return {
    base,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

/** Waits until a server answers a path with 200, for two minutes at most; returns the answer. */
export async function answers({ base }: Pick<Server, "base">, path: string): Promise<string> {
  const giveUpAt = performance.now() + 120_000;
  for (;;) {
    try {
      const response = await fetch(base + path, IDENTITY);
      const text = await response.text();
      if (response.status === 200) return text;
      if (performance.now() > giveUpAt) throw new Error(`${path}: status ${response.status}`);
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
    }
    await delay(5);
  }
}

/** Bare `Deno.serve` that answers with the very bytes and headers that `response` has. */
export async function startBare(response: Response): Promise<Server> {
  const headers = [...response.headers].filter(([name]) =>
    !/^(date|content-length|vary)$/.test(name)
  );
  const file = await Deno.makeTempFile({ suffix: ".json" });
  const { status } = response;
  await Deno.writeTextFile(file, JSON.stringify({ status, headers, body: await response.text() }));
  return startServer("tests/bench/peers/bare.ts", [file]);
}

/** How to drive a server: a request, and how it changes each time. */
export interface DriveOptions extends LoadRequest, Pick<LoadOptions, "next" | "overallRate"> {
  seconds?: number;
  connections?: number;
  /** Statuses beside 2xx that are no failure. */
  allow?: number[];
}

/** Drives a server for some seconds; throws where it refuses. */
export async function drive(
  { base }: Pick<Server, "base">,
  options: DriveOptions,
): Promise<Load> {
  const { path, method, headers, body, seconds = 2, connections = 32, allow = [], ...rest } =
    options;
  const request = { path, method, headers, body };
  const result = await load(base, { request, seconds, connections, ...rest });
  for (const [status, count] of result.statuses) {
    if ((status < 200 || status > 299) && !allow.includes(status)) {
      throw new Error(`${method ?? "GET"} ${path}: ${count} times status ${status}`);
    }
  }
  const { latencies } = result;
  return { rate: latencies.length / result.seconds, latencies };
}

/** Resident memory of a server in MB, as Linux tells it. */
export async function memoryOf({ pid }: Server): Promise<number> {
  // Deno itself opens nothing below /proc without --allow-all.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  const [, kB] = /^VmRSS:\s+(\d+) kB/m.exec(new TextDecoder().decode(stdout)) ?? [];
  return Number(kB) * 1024 / 1e6;
}

/** How two loads are compared. */
interface Comparison extends Pick<Row, "what" | "wanted"> {
  /** What ours is measured against. */
  peer: string;
  rounds: number;
  ours: () => Promise<Load>;
  theirs: () => Promise<Load>;
}

/** Measures two sides in turns, after a turn that does not count. Each time the other one begins. */
export async function inTurns<T>(
  rounds: number,
  ours: () => Promise<T>,
  theirs: () => Promise<T>,
): Promise<{ ours: T[]; theirs: T[] }> {
  const turns: { ours: T[]; theirs: T[] } = { ours: [], theirs: [] };
  for (let turn = 0; turn <= rounds; turn++) {
    const sides = [
      async () => turns.ours.push(await ours()),
      async () => turns.theirs.push(await theirs()),
    ];
    if (turn % 2 === 1) sides.reverse();
    for (const measure of sides) await measure();
  }
  return { ours: turns.ours.slice(1), theirs: turns.theirs.slice(1) };
}

/**
 * Measures the rates of two loads in turns. The ratio is the median of each turn's own: what disturbs the machine for
 * longer than a turn meets both sides alike.
 */
export async function compare(comparison: Comparison): Promise<Row> {
  const { what, wanted, peer, rounds } = comparison;
  const { ours, theirs } = await inTurns(rounds, comparison.ours, comparison.theirs);
  const figure = median(ours.map(({ rate }, i) => rate / theirs[i]!.rate));
  const [mine, other] = [ours, theirs].map((side) =>
    Math.round(median(side.map(({ rate }) => rate)))
  );
  return { what, figure, unit: `of ${peer}`, wanted, from: `${mine} and ${other}/s` };
}

/** The middle of some numbers. */
export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** The value that a part of some numbers is below. */
export function quantile(values: Iterable<number>, part: number): number {
  const ascending = Float64Array.from(values).sort();
  return ascending[Math.floor(ascending.length * part)]!;
}
