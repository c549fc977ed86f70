import { fileURLToPath } from "node:url";
import { delay } from "@/lib/clock.ts";
import { freePort } from "../support/free_port.ts";
import { taskArgs } from "../support/server.ts";
import { load, type LoadOptions, type LoadRequest } from "./client.ts";

/** One line of the table: two servers measured in turns in one run, and their ratio. */
export interface Row {
  scenario: string;
  /** What ours is measured against. */
  peer: string;
  ours: number;
  theirs: number;
  unit: string;
  /** ours / theirs. */
  ratio: number;
  /** The ratio of answers a second of processor time, which what else runs on the machine hardly moves. */
  byCpu?: number;
  /** The ratio that was promised, if one was; `atMost` where smaller is better. */
  need?: { atLeast?: number; atMost?: number };
}

/** A server in a process of its own. */
export interface Server extends AsyncDisposable {
  base: string;
  pid: number;
}

/** What a load reaches: requests a second, processor time of the server for each (ms), and latencies in ms, ascending. */
export interface Load {
  rate: number;
  cpu: number;
  latencies: Float64Array;
}

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Starts `deno run` on a script; it must answer on the PORT that it is given. */
export function startServer(
  script: string,
  { args = [], ...rest }: Ready & { args?: string[] } = {},
): Promise<Server> {
  return startDeno(["run", "--allow-all", "--no-check", script, ...args], rest);
}

/** What a process needs beside its arguments, and a path that it answers once it is ready. */
interface Ready {
  env?: Record<string, string>;
  ready?: string;
}

async function startDeno(args: string[], { env, ready = "/" }: Ready): Promise<Server> {
  const port = freePort();
  const base = `http://127.0.0.1:${port}`;
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env: { PORT: String(port), LOG_LEVEL: "silent", BASE_URL: base, ...env },
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  for (let tries = 0;; tries++) {
    try {
      await (await fetch(base + ready)).body?.cancel();
      break;
    } catch (error) {
      if (tries > 600) throw error;
      await delay(50);
    }
  }
  return {
    base,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

/**
 * Starts the built service on a KV file as `deno task serve` does, with its very settings, behind one trusted proxy so
 * that each request can have its network.
 */
export async function startOurs(kvPath: string): Promise<Server> {
  const folder = kvPath.slice(0, kvPath.lastIndexOf("/"));
  return startDeno(await taskArgs("serve", folder), {
    env: { KV_PATH: kvPath, TRUSTED_PROXIES: "1" },
    ready: "/api/v1",
  });
}

/** Bare `Deno.serve` that answers with the very bytes and headers that `response` has. */
export async function startBare(response: Response): Promise<Server> {
  return startServer("tests/bench/peers/bare.ts", { args: [await saveAnswer(response)] });
}

/** Writes the status, headers and body of an answer to a file that peers read; returns its path. */
export async function saveAnswer(response: Response): Promise<string> {
  const headers = [...response.headers].filter(([name]) =>
    !/^(date|content-length|vary)$/.test(name)
  );
  const file = await Deno.makeTempFile({ suffix: ".json" });
  const { status } = response;
  await Deno.writeTextFile(file, JSON.stringify({ status, headers, body: await response.text() }));
  return file;
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
  server: Pick<Server, "base" | "pid">,
  options: DriveOptions,
): Promise<Load> {
  const { path, method, headers, body, seconds = 2, connections = 32, allow = [], ...rest } =
    options;
  const request = { path, method, headers, body };
  const before = await cpuTime(server.pid);
  const result = await load(server.base, { request, seconds, connections, ...rest });
  const spent = await cpuTime(server.pid) - before;
  for (const [status, count] of result.statuses) {
    if ((status < 200 || status > 299) && !allow.includes(status)) {
      throw new Error(`${method ?? "GET"} ${path}: ${count} times status ${status}`);
    }
  }
  const { latencies } = result;
  return {
    rate: latencies.length / result.seconds,
    cpu: spent / latencies.length,
    latencies,
  };
}

/** Processor time (ms) that a process has used, all its threads together; NaN where /proc does not tell. */
async function cpuTime(pid: number): Promise<number> {
  // Deno itself opens nothing below /proc without --allow-all.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/stat`], stderr: "null" })
    .output();
  const stat = new TextDecoder().decode(stdout);
  const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14);
  return (Number(user) + Number(system)) * MS_A_TICK;
}

/** Linux counts processor time in hundredths of a second for programs, whatever the kernel's own tick is. */
const MS_A_TICK = 10;

/** What was measured of two sides, turn by turn. */
export interface Turns<T> {
  ours: T[];
  theirs: T[];
}

/** Measures two sides in turns, after a turn that does not count. Each time the other one begins. */
export async function inTurns<T>(
  rounds: number,
  ours: (turn: number) => Promise<T>,
  theirs: (turn: number) => Promise<T>,
): Promise<Turns<T>> {
  const turns: Turns<T> = { ours: [], theirs: [] };
  for (let turn = 0; turn <= rounds; turn++) {
    const measure = [
      async () => turns.ours.push(await ours(turn)),
      async () => turns.theirs.push(await theirs(turn)),
    ];
    if (turn % 2 === 1) measure.reverse();
    for (const side of measure) await side();
  }
  return { ours: turns.ours.slice(1), theirs: turns.theirs.slice(1) };
}

/** Makes a row of two measured values. */
export function row(
  scenario: string,
  peer: string,
  [ours, theirs]: [number, number],
  options: { unit?: string; need?: Row["need"] } = {},
): Row {
  const { unit = "req/s", need } = options;
  return { scenario, peer, ours, theirs, unit, ratio: ours / theirs, need };
}

/**
 * Makes a row of a figure that was measured in turns. The ratio is the median of each turn's own:
 * what disturbs the machine for longer than a turn meets both of its sides alike.
 */
export function turnsRow<T>(
  scenario: string,
  peer: string,
  { ours, theirs }: Turns<T>,
  { figure, ...options }: { figure: (measured: T) => number; unit?: string; need?: Row["need"] },
): Row {
  const medians: [number, number] = [median(ours.map(figure)), median(theirs.map(figure))];
  const ratios = ours.map((measured, i) => figure(measured) / figure(theirs[i]!));
  return { ...row(scenario, peer, medians, options), ratio: median(ratios) };
}

/** Makes a row of the rates of two loads, by the clock and by the servers' processor time. */
export function rateRow(
  scenario: string,
  peer: string,
  turns: Turns<Load>,
  need?: Row["need"],
): Row {
  const byCpu = turnsRow(scenario, peer, turns, { figure: ({ cpu }) => 1 / cpu }).ratio;
  return { ...turnsRow(scenario, peer, turns, { figure: ({ rate }) => rate, need }), byCpu };
}

/** The middle of some numbers. */
export function median(values: number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}

/** The value that a part of some ascending numbers is below. */
export function quantile(ascending: Float64Array, part: number): number {
  return ascending[Math.floor(ascending.length * part)]!;
}

/** Columns of the table and their widths. */
const COLUMNS: Record<string, number> = {
  scenario: 43,
  against: 30,
  ours: 9,
  theirs: 9,
  unit: 5,
  ratio: 6,
  "by cpu": 6,
  need: 8,
  holds: 5,
};

/** Prints the head of the table. */
export function printHead(): void {
  printLine(Object.keys(COLUMNS));
  printLine(Object.values(COLUMNS).map((width) => "-".repeat(width)));
}

/** Prints one row of the table, as soon as it was measured. */
export function printRow(row: Row): void {
  const { scenario, peer, ours, theirs, unit, ratio, byCpu = NaN } = row;
  const cpu = Number.isNaN(byCpu) ? "" : byCpu.toFixed(2);
  const { atLeast, atMost } = row.need ?? {};
  const need = atLeast !== undefined
    ? `>= ${Number(atLeast.toFixed(2))}`
    : atMost !== undefined
    ? `<= ${atMost}`
    : "";
  const holds = need === "" ? "" : meets(row) ? "yes" : "NO";
  const figures = [format(ours), format(theirs), unit, ratio.toFixed(2), cpu];
  printLine([scenario, peer, ...figures, need, holds]);
}

function printLine(cells: string[]): void {
  const widths = Object.values(COLUMNS);
  // deno-lint-ignore no-console -- the table is what the command is for
  console.log(cells.map((cell, i) => cell.padEnd(widths[i]!)).join("  "));
}

/** Whether a row keeps what was promised. */
export function meets({ ratio, need }: Row): boolean {
  return (need?.atLeast === undefined || ratio >= need.atLeast) &&
    (need?.atMost === undefined || ratio <= need.atMost);
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
