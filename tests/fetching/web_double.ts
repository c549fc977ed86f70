/** A simulated web on this machine: hosts that behave differently, and their names. */
import type { Fetcher } from "@/lib/fetching/fetcher.ts";
import type { Net } from "@/lib/fetching/net.ts";
import { findTxt, safeFetch, safePost } from "@/lib/fetching/safe_fetch.ts";

const certificates = new URL("./certificates/", import.meta.url);
const read = (name: string) => Deno.readTextFile(new URL(name, certificates));

type Answer = (req: Request) => Response | Promise<Response>;

/** The fetcher's network in tests. */
export class WebDouble implements AsyncDisposable {
  /** What name servers return. */
  readonly names: Record<string, string[] | (() => string[])> = {};
  readonly txt: Record<string, string[][]> = {};
  /** Every connection that was made: address and port. */
  readonly routes: string[] = [];
  readonly requests: { method: string; path: string; headers: Headers }[] = [];
  readonly #ports = new Map<string, number>();
  readonly #closing: (() => unknown)[] = [];
  #hosts = 0;

  readonly net: Net = {
    addressesOf: (host) => {
      const found = this.names[host];
      if (found === undefined) {
        return Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" }));
      }
      return Promise.resolve(typeof found === "function" ? found() : found);
    },
    txtOf: (host) => {
      const found = this.txt[host];
      if (found === undefined) {
        return Promise.reject(Object.assign(new Error(), { code: "ENODATA" }));
      }
      return Promise.resolve(found);
    },
    route: (address, port) => {
      this.routes.push(`${address}:${port}`);
      return { host: "127.0.0.1", port: this.#ports.get(`${address}:${port}`) ?? 1 };
    },
  };

  /** A fetcher like the site's for this web, without rate limiting. */
  readonly fetcher: Fetcher = {
    name: "test-fetcher",
    isAway: false,
    get: (url, options) => safeFetch(this.net, { url, userAgent: "test-fetcher/1", ...options }),
    txt: (host) => findTxt(this.net, host),
    post: (request) => safePost(this.net, { ...request, userAgent: "test-fetcher/1" }),
    mail: () => Promise.reject(new Error("no mail server")),
  };

  /** A host that serves plain HTTP. */
  serve(host: string, answer: Answer): void {
    const server = Deno.serve(
      {
        hostname: "127.0.0.1",
        port: 0,
        onListen: () => {},
        onError: () => new Response(null, { status: 500 }),
      },
      (req) => {
        const { pathname, search } = new URL(req.url);
        const headers = new Headers(req.headers);
        this.requests.push({ method: req.method, path: pathname + search, headers });
        return answer(req);
      },
    );
    this.#closing.push(() => server.shutdown());
    this.#put(host, 80, server.addr.port);
  }

  /** A host with a certificate for example.test. */
  async serveTls(host: string, answer: Answer): Promise<void> {
    const [cert, key] = await Promise.all([read("example.test.pem"), read("example.test.key.pem")]);
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, cert, key, onListen: () => {} },
      answer,
    );
    this.net.ca = cert;
    this.#closing.push(() => server.shutdown());
    this.#put(host, 443, server.addr.port);
  }

  /** A host that handles each raw connection itself. */
  serveRaw(host: string, speak: (connection: Deno.TcpConn) => Promise<unknown>): void {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const open = new Set<Deno.TcpConn>();
    (async () => {
      for await (const connection of listener) {
        open.add(connection);
        speak(connection).catch(() => {});
      }
    })();
    this.#closing.push(() => {
      listener.close();
      for (const connection of open) {
        try {
          connection.close();
        } catch { /* closed already */ }
      }
    });
    this.#put(host, 80, listener.addr.port);
  }

  #put(host: string, port: number, own: number): void {
    const address = `93.184.216.${++this.#hosts}`;
    this.names[host] = [address];
    this.#ports.set(`${address}:${port}`, own);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#closing) await close();
  }
}
