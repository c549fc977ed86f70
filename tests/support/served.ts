import { type TestApp, testApp } from "./app.ts";

/** A service in memory that listens only on this machine. */
interface ServedApp extends AsyncDisposable {
  /** The public origin, `http://localhost:<port>`. */
  base: string;
  app: TestApp;
}

/** Serves a new service with an in-memory KV on a free port. */
export async function servedApp(): Promise<ServedApp> {
  const served: { app?: TestApp } = {};
  const stop = new AbortController();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", signal: stop.signal, onListen: () => {} },
    (req, info) => served.app!.handler(req, info),
  );
  const base = `http://localhost:${server.addr.port}`;
  const app = await testApp({ env: { BASE_URL: base } });
  served.app = app;
  return {
    base,
    app,
    async [Symbol.asyncDispose]() {
      // A client may have left a stream open, which a graceful shutdown would wait for.
      stop.abort();
      await app[Symbol.asyncDispose]();
    },
  };
}
