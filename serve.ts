// Serves the output of `deno task build` (in _fresh/ or the folder given as an argument) on HOST
// and PORT. On SIGTERM or SIGINT it shuts down cleanly: it closes the socket, finishes requests in
// progress and writes counters. After 10 seconds the process exits in any case. Deno Deploy kills
// it after 5, so it waits less there.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { atMost } from "./lib/clock.ts";
import { inOneLine } from "./lib/errors.ts";
import { createDrain } from "./lib/http/drain.ts";

const unknown = Deno.args.find((arg) => arg.startsWith("-") && arg !== "--accept-new-salt");
if (unknown !== undefined) {
  stop(
    `Unknown option ${unknown}. The only one is --accept-new-salt. README.md lists the settings`,
  );
}
const build = Deno.args.find((arg) => !arg.startsWith("-")) ?? "./_fresh";
const built = pathToFileURL(resolve(import.meta.dirname!, build, "server.js")).href;
interface Build extends Partial<typeof import("./main.ts")> {
  default: { fetch: (req: Request, info: Deno.ServeHandlerInfo) => Promise<Response> };
}
const { default: { fetch }, ...main }: Build = await import(built).catch((error) => {
  const missing = /^Module not found "(.+?)"/.exec(error.message)?.[1];
  if (missing === undefined) throw error;
  stop(
    missing === built
      ? `Nothing is built in ${build}: run \`deno task build\` first`
      : `${build} is out of date (${missing} is gone): run \`deno task build\` again`,
  );
});
// A build by Fresh itself imports `main.ts` but doesn't re-export its exports. With a literal path,
// each start would first look up every module of the source, even if our build needs none.
const deps = main.deps ?? (await import(import.meta.resolve("./main.ts")) as Required<Build>).deps;

/**
 * How long (ms) to wait for requests in progress, for those that arrived in the meantime, and in
 * total.
 */
const DRAIN_MS = deps.env.isDeploy ? 3_000 : 7_000;
const LAST_ANSWERS_MS = 1_000;
const SHUTDOWN_DEADLINE_MS = 10_000;

const drain = createDrain(fetch);
const server = listen();

/** Aborts startup with one clear line if the address can't be bound. */
function listen(): Deno.HttpServer {
  const { host, port, baseUrl, kvPath } = deps.env;
  try {
    return Deno.serve({
      port,
      hostname: host,
      onListen: ({ hostname, port }) => {
        deps.log.info("listening", { hostname, port, baseUrl, kvPath });
      },
    }, drain.handler);
  } catch (error) {
    const reason = error instanceof Deno.errors.NotCapable
      ? "this task can only bind 127.0.0.1, localhost or 0.0.0.0"
      : inOneLine(error);
    stop(`Bad setting: HOST ${host} and PORT ${port} cannot be bound: ${reason}`);
  }
}

/** Aborts a startup that can't succeed, with one clear line. */
function stop(why: string): never {
  // deno-lint-ignore no-console -- plain text, like every setting that stops startup
  console.error(why);
  Deno.exit(1);
}

async function shutdown(signal: string) {
  deps.log.info("stopping", { signal });
  setTimeout(() => Deno.exit(1), SHUTDOWN_DEADLINE_MS);
  await drain.drained(DRAIN_MS);
  // A body that never ends must not keep the rest from being written.
  await atMost(LAST_ANSWERS_MS, server.shutdown());
  deps.tail.stop();
  await deps.traffic.stop();
  await deps.store.idle();
  deps.store.close();
  deps.log.info("stopped");
  Deno.exit(0);
}

// A signal may arrive twice: systemd also sends it to the task, which forwards it.
let stopping: Promise<void> | undefined;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.addSignalListener(signal, () => stopping ??= shutdown(signal));
}
