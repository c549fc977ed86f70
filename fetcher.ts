// Fetches user-submitted URLs for the site, in a separate process that may only use the network. It
// listens only on this machine, on FETCHER_PORT.
import { inOneLine } from "./lib/errors.ts";
import { systemNet } from "./lib/fetching/net.ts";
import { fetcherHandler } from "./lib/fetching/server.ts";

const port = Number(Deno.env.get("FETCHER_PORT"));
if (!Number.isInteger(port) || port < 1 || port > 65535) {
  stop("must be a port, the same one as in the site's settings");
}
const server = listen();
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  // Otherwise the timeouts of finished requests would keep it running for up to ten seconds.
  Deno.addSignalListener(signal, () => server.shutdown().then(() => Deno.exit()));
}

function listen(): Deno.HttpServer {
  try {
    const options = { hostname: "127.0.0.1", port, onListen: () => {} };
    return Deno.serve(options, fetcherHandler(systemNet));
  } catch (error) {
    stop(`${port} cannot be bound: ${inOneLine(error)}`);
  }
}

/** Aborts a startup that can't succeed, with one clear line. */
function stop(why: string): never {
  // deno-lint-ignore no-console -- there is no log
  console.error(`Bad setting: FETCHER_PORT ${why}`);
  Deno.exit(1);
}
