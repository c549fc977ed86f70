// Serves what `deno task build` made (in _fresh/, or the folder given), on HOST and PORT, and ends in good order: the socket closes, requests
// under way finish, and after 10 seconds the process ends in any case.
import { guard } from "./lib/http/guard.ts";
import { deps } from "./main.ts";

const SHUTDOWN_DEADLINE_MS = 10_000;

const build = Deno.args[0] ?? "./_fresh";
const built = new URL(`${build}/server.js`, import.meta.url).href;
const { default: { fetch } } = await import(built) as {
  default: { fetch: (req: Request, info: Deno.ServeHandlerInfo) => Promise<Response> };
};

const server = Deno.serve({
  port: deps.env.port,
  hostname: deps.env.host,
  onListen: ({ hostname, port }) => {
    deps.log.info("listening", { hostname, port, baseUrl: deps.env.baseUrl });
  },
}, guard(fetch, deps));

async function shutdown(signal: string) {
  deps.log.info("stopping", { signal });
  const timer = setTimeout(() => Deno.exit(0), SHUTDOWN_DEADLINE_MS);
  await server.shutdown();
  await deps.traffic.stop();
  clearTimeout(timer);
  deps.store.close();
  Deno.exit(0);
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.addSignalListener(signal, () => shutdown(signal));
}
