import { Builder } from "fresh/dev";
import { createApp } from "@/lib/app.ts";
import type { State } from "@/lib/define.ts";
import { createDeps, type Deps } from "@/lib/deps.ts";
import { parseEnv } from "@/lib/env.ts";
import { TEST_SETTINGS } from "./app.ts";

const root = new URL("../../", import.meta.url).pathname;

/** A service that listens on this machine. */
export interface ServedApp extends AsyncDisposable {
  /** The public origin, `http://localhost:<port>`. */
  base: string;
  deps: Deps;
}

/** Serves a new service over a KV in memory on a free port, by the real clock. */
export async function servedApp(): Promise<ServedApp> {
  let handler:
    | ((req: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>)
    | null = null;
  const stop = new AbortController();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", signal: stop.signal, onListen: () => {} },
    (req, info) => handler!(req, info),
  );
  const base = `http://localhost:${server.addr.port}`;
  const env = parseEnv({ ...TEST_SETTINGS, BASE_URL: base });
  const deps = createDeps(env, { kv: await Deno.openKv(":memory:"), salt: env.hashSalt! });
  await deps.sync.load();
  const app = createApp(deps);
  (await new Builder<State>({ root }).build({ snapshot: "memory" }))(app);
  handler = app.handler();
  return {
    base,
    deps,
    [Symbol.asyncDispose]() {
      // A client may have left a stream open, for which a graceful end would wait.
      stop.abort();
      deps.store.close();
      return Promise.resolve();
    },
  };
}
