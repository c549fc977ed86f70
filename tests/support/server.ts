import { Builder } from "fresh/dev";
import { fileURLToPath } from "node:url";
import { delay } from "@/lib/clock.ts";
import type { JsonAnswer, TestRequest } from "./app.ts";
import { freePort } from "./free_port.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A running service in its own process, as `deno task serve` starts it. */
export interface ServerProcess extends AsyncDisposable {
  /** Its URL, without a trailing slash. */
  base: string;
  pid: number;
  /**
   * Sends a request and parses the JSON response. Its `address` counts only behind a proxy, so the
   * server must trust one.
   */
  json(path: string, options?: Omit<TestRequest, "form">): Promise<JsonAnswer>;
  /** Kills it as a crash would; resolves when it is gone. */
  kill(signal?: Deno.Signal): Promise<Deno.CommandStatus>;
  /** Everything it has written to stderr so far. */
  log(): string;
  /** Its resident memory in MiB; NaN once it has exited. */
  memory(): Promise<number>;
}

let building: Promise<string> | undefined;

/**
 * Builds the site once per worker, into its own folder: test files that run in parallel share a
 * process.
 */
export function buildSite(): Promise<string> {
  return building ??= (async () => {
    const outDir = `${root}_fresh/test-${crypto.randomUUID()}`;
    await new Builder({ root, outDir }).build();
    return outDir;
  })();
}

/** Removes the output of `buildSite`. */
export async function removeBuild(): Promise<void> {
  if (building !== undefined) await Deno.remove(await building, { recursive: true });
  building = undefined;
}

/**
 * The arguments of a task in deno.json, without `deno` itself; `folder` may be used like `data`.
 */
export async function taskArgs(task: string, folder: string): Promise<string[]> {
  const { tasks, permissions } = JSON.parse(await Deno.readTextFile(`${root}deno.json`));
  const [, ...args] = tasks[task].command.split(" ") as string[];
  return args.flatMap((arg) => {
    if (arg !== "-P") return [arg.replace(/^(--allow-write=.*\bdata)$/, `$1,${folder}`)];
    // Such a flag replaces what the set grants.
    const added = ["read", "write"].filter((name) => !args.includes(`--allow-${name}`))
      .map((name) => `--allow-${name}=${[...permissions.default[name], folder].join()}`);
    return [arg, ...added];
  });
}

/** Runs a task in deno.json to its end, on the KV file in `folder` unless `env` names another. */
export async function runTask(
  task: string,
  { folder, args = [], env = {} }: {
    folder: string;
    args?: string[];
    env?: Record<string, string>;
  },
) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...await taskArgs(task, folder), ...args],
    cwd: root,
    env: { KV_PATH: `${folder}/kv.sqlite3`, NO_COLOR: "1", ...env },
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/**
 * Starts the built service on a free port and waits until it responds. `folder` has its KV file.
 */
export async function startServer(
  options: {
    folder: string;
    env?: Record<string, string>;
    command?: (port: string) => string[];
    task?: string;
  },
): Promise<ServerProcess> {
  const build = await buildSite();
  const port = String(freePort());
  const args = options.command?.(port) ??
    [...await taskArgs(options.task ?? "serve", options.folder), build];
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env: {
      PORT: port,
      HOST: "127.0.0.1",
      KV_PATH: `${options.folder}/kv.sqlite3`,
      BASE_URL: `http://127.0.0.1:${port}`,
      NO_COLOR: "1",
      ...options.env,
    },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let log = "";
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) log += text;
  })();
  let ended = false;
  const status = child.status.then(async (status) => {
    ended = true;
    await reading;
    return status;
  });
  const base = `http://127.0.0.1:${port}`;
  const giveUpAt = performance.now() + 30_000;
  for (;;) {
    try {
      await (await fetch(`${base}/api/v1`)).body?.cancel();
      break;
    } catch {
      if (ended || performance.now() > giveUpAt) {
        throw new Error(`The server did not start: ${log}`);
      }
      await delay(20);
    }
  }
  const kill = (signal: Deno.Signal = "SIGKILL") => {
    if (!ended) child.kill(signal);
    return status;
  };
  return {
    base,
    pid: child.pid,
    json: (path, options) => fetchJson(base + path, options),
    kill,
    log: () => log,
    async memory() {
      const status = await Deno.readTextFile(`/proc/${child.pid}/status`);
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    async [Symbol.asyncDispose]() {
      await kill();
    },
  };
}

async function fetchJson(url: string, options: TestRequest = {}): Promise<JsonAnswer> {
  const { json, address, userAgent, editKey, ...init } = options;
  const headers = new Headers(init.headers);
  if (address !== undefined) headers.set("x-forwarded-for", address);
  if (userAgent !== undefined) headers.set("user-agent", userAgent);
  if (editKey !== undefined) headers.set("x-edit-key", editKey);
  if (json !== undefined) {
    headers.set("content-type", "application/json");
    init.body = JSON.stringify(json);
    init.method ??= "POST";
  }
  const response = await fetch(url, { ...init, headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
