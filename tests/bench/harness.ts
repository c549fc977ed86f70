import { fileURLToPath } from "node:url";
import { delay } from "@/lib/clock.ts";
import { freePort } from "../support/free_port.ts";
import { taskArgs } from "../support/server.ts";
import { TEST_SETTINGS } from "../support/settings.ts";
import { load, type LoadOptions, type LoadRequest } from "./client.ts";

/** One row of the table. */
export interface Row {
  what: string;
  figure: number;
  /** The figure's unit, such as `ms`, or `of bare` for a ratio. */
  unit: string;
  /** The target, if there is one. */
  wanted?: { atLeast?: number; atMost?: number };
  /** What the figure was calculated from. */
  from?: string;
}

/** A server in its own process. */
export interface Server extends AsyncDisposable {
  base: string;
  pid: number;
}

/** The result of a load: requests per second, and latencies in ms, ascending. */
export interface Load {
  rate: number;
  latencies: Float64Array;
}

/** The list that most requests ask for. */
export const LIST = "/api/v1/projects";

/** Without this header, fetch asks for gzip. */
export const IDENTITY = { headers: { "accept-encoding": "identity" } };

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Runs a script with `deno run`. It must listen on the port in `PORT`. */
export async function startServer(script: string, args: string[]): Promise<Server> {
  const server = spawnDeno(["run", "--allow-all", "--no-check", script, ...args]);
  await answers(server, "/");
  return server;
}

/** Options for running our server. */
export interface OursOptions {
  /** The task in deno.json to run. */
  task?: "serve" | "serve:remote";
  env?: Record<string, string>;
}

/**
 * Starts the built service on a KV file or address exactly as its task in deno.json does, but
 * behind one trusted proxy, so that each request can come from its own network. Doesn't wait for it
 * to respond.
 */
export async function spawnOurs(
  kvPath: string,
  { task = "serve", env }: OursOptions = {},
): Promise<Server> {
  const isFile = task === "serve";
  const folder = isFile ? kvPath.slice(0, kvPath.lastIndexOf("/")) : await Deno.makeTempDir();
  const args = await taskArgs(task, folder);
  // The same for every server, since they serve copies of one directory.
  const { HASH_SALT } = TEST_SETTINGS;
  return spawnDeno(args, { KV_PATH: kvPath, HASH_SALT, TRUSTED_PROXIES: "1", ...env });
}

/** Starts the built service like `spawnOurs`, and waits until it can search, which ends startup. */
export async function startOurs(kvPath: string): Promise<Server> {
  const server = await spawnOurs(kvPath);
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

/** Waits up to two minutes until a server responds to a path with 200; returns the text. */
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

/** Starts bare `Deno.serve`, which sends the same bytes and headers as `response`. */
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
  /** Statuses besides 2xx that don't count as failures. */
  allow?: number[];
}

/** Drives a server for a few seconds. Throws if it refuses a request. */
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

/** A server's resident memory in MB, as Linux reports it. */
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

/** Measures two sides alternately, after a turn that doesn't count. They take turns going first. */
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
 * Measures the rates of two loads alternately. The figure is the median of the turns' ratios: anything
 * that disturbs the machine for longer than a turn affects both sides alike.
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

/** The median of some numbers. */
export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** The value below which `part` (0 to 1) of some numbers lie. */
export function quantile(values: Iterable<number>, part: number): number {
  const ascending = Float64Array.from(values).sort();
  return ascending[Math.floor(ascending.length * part)]!;
}
