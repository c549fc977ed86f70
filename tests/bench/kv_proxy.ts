import { delay } from "@/lib/clock.ts";

/** A proxy in front of a KV server. */
export interface KvProxy extends AsyncDisposable {
  url: string;
  /** Read requests forwarded so far. */
  reads(): number;
}

/**
 * Starts a proxy that forwards each request to a KV server after `delayMs`, as if it were far away.
 */
export function startKvProxy(target: string, delayMs: number): KvProxy {
  let reads = 0;
  const serving = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  const server: Deno.HttpServer<Deno.NetAddr> = Deno.serve(serving, async (req) => {
    const { pathname } = new URL(req.url);
    if (pathname.endsWith("/snapshot_read")) reads++;
    const { method, headers } = req;
    const body = await req.arrayBuffer();
    await delay(delayMs);
    const response = await fetch(target + pathname, { method, headers, body });
    return new Response(await response.arrayBuffer(), response);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    reads: () => reads,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
