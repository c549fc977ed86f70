// Fetches user-submitted URLs for the site, in a separate process that may only use the network. It
// listens only on this machine, on FETCHER_PORT.
import { systemNet } from "./lib/fetching/net.ts";
import { fetcherHandler } from "./lib/fetching/server.ts";

const port = Number(Deno.env.get("FETCHER_PORT"));
if (!Number.isInteger(port) || port < 1 || port > 65535) {
  throw new Error("FETCHER_PORT must be a port, the same as the site's");
}
const server = Deno.serve(
  { hostname: "127.0.0.1", port, onListen: () => {} },
  fetcherHandler(systemNet),
);
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.addSignalListener(signal, () => server.shutdown());
}
