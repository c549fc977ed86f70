import { type BuildCache, EMPTY_CACHE } from "./build_cache.ts";
import { advance, Context } from "./context.ts";
import { defaultErrorResponse, HttpError } from "./error.ts";
import { addFsRoutes } from "./fs_routes.ts";
import { type Chain, type RouteEntry, Router } from "./router.ts";
import { Segment, stepsOf } from "./segments.ts";
import { setBuildId } from "./shared.ts";
import type { Middleware, Route } from "./types.ts";

/** Gives an app the build that it serves; for the builder and `_fresh/server.js`. */
export let setBuildCache: <State>(app: App<State>, cache: BuildCache) => void;

/** One call on an app, which is repeated on the tables of each handler that the app makes. */
type Call<State> = (root: Segment<State>, router: Router<State>, cache: BuildCache) => void;

const DEFAULT_INFO: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
};

/** Middlewares and routes that together answer requests. */
export class App<State> {
  #calls: Call<State>[] = [];
  #cache = EMPTY_CACHE;

  static {
    setBuildCache = (app, cache) => {
      setBuildId(cache.snapshot.version);
      app.#cache = cache;
    };
  }

  /** Adds middlewares for everything that is added later, or for what is below `path`. */
  use(...middlewares: Middleware<State>[]): this;
  use(path: string, ...middlewares: Middleware<State>[]): this;
  use(...args: (string | Middleware<State>)[]): this {
    const path = typeof args[0] === "string" ? args.shift() as string : "*";
    return this.#add((root) => root.at(path).middlewares.push(...args as Middleware<State>[]));
  }

  /** Sets what answers when nothing matches or a 404 is thrown. */
  notFound(middleware: Middleware<State>): this {
    return this.#add((root) => root.notFound = middleware);
  }

  /** Sets what answers when something below `path` throws. */
  onError(path: string, handler: Middleware<State>): this {
    return this.#add((root) => root.at(path).onError = handler);
  }

  /** Adds a page with or without handlers. */
  route(path: string, route: Route<State>): this {
    for (const [method, step] of stepsOf(route)) this.#handle(method, path, [step]);
    return this;
  }

  /** Answers GET, and HEAD where nothing else does. */
  get(path: string, ...fns: Middleware<State>[]): this {
    return this.#handle("GET", path, fns);
  }
  /** Answers POST. */
  post(path: string, ...fns: Middleware<State>[]): this {
    return this.#handle("POST", path, fns);
  }
  /** Answers PATCH. */
  patch(path: string, ...fns: Middleware<State>[]): this {
    return this.#handle("PATCH", path, fns);
  }
  /** Answers PUT. */
  put(path: string, ...fns: Middleware<State>[]): this {
    return this.#handle("PUT", path, fns);
  }
  /** Answers DELETE. */
  delete(path: string, ...fns: Middleware<State>[]): this {
    return this.#handle("DELETE", path, fns);
  }
  /** Answers every method. */
  all(path: string, ...fns: Middleware<State>[]): this {
    return this.#handle("ALL", path, fns);
  }

  /** Puts the files under `routes/` in at this point. */
  fsRoutes(): this {
    return this.#add((root, router, cache) => addFsRoutes(cache.snapshot.fsItems, root, router));
  }

  #handle(method: string, path: string, fns: Middleware<State>[]): this {
    return this.#add((root, router) => router.add(method, path, root.at(path).chain(), fns));
  }

  #add(call: Call<State>): this {
    this.#calls.push(call);
    return this;
  }

  /** Makes the function that answers requests, for `Deno.serve` and for tests. */
  handler(): (
    request: Request,
    info?: Deno.ServeHandlerInfo,
  ) => Response | Promise<Response> {
    const buildCache = this.#cache;
    const router = new Router<State>();
    const root = new Segment<State>();
    for (const call of this.#calls) call(root, router, buildCache);
    const outer = root.chain();
    const unmatched = ending(outer, () => new HttpError(404, "Not Found"));
    const malformed = ending(outer, () => new HttpError(400, "Bad Request"));

    return function handle(req, info = DEFAULT_INFO) {
      const { url, pathname } = locate(req);
      const { method } = req;
      const matched = pathname === null ? undefined : router.match(pathname);
      const { steps, ui } = matched !== undefined
        ? chainFor(matched.entry, method)
        : pathname === null
        ? malformed
        : unmatched;
      const internals = { url, chain: steps, index: 0, ui, buildCache };
      const route = matched?.entry.pattern ?? null;
      const ctx = new Context<State>(req, info, route, matched?.params ?? {}, internals);
      try {
        const result = advance(ctx);
        return result instanceof Promise
          ? result.then((response) => finish(response, method), defaultErrorResponse)
          : finish(result, method);
      } catch (error) {
        return defaultErrorResponse(error);
      }
    };
  }

  /** Serves the app, on port 8000 unless the options say otherwise. */
  async listen(options: Partial<Deno.ServeTcpOptions> = {}): Promise<void> {
    await Deno.serve(options, this.handler()).finished;
  }
}

/** A chain that ends in an error. */
function ending<State>({ steps, ui }: Chain<State>, error: () => HttpError): Chain<State> {
  const end = () => {
    throw error();
  };
  return { steps: [...steps, end], ui };
}

/**
 * The chain that answers a method on a known path. OPTIONS gets `Allow`; an unknown method gets
 * 405.
 */
function chainFor<State>({ methods, outer }: RouteEntry<State>, method: string): Chain<State> {
  const chain = methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : undefined) ??
    methods.get("ALL");
  if (chain !== undefined) return chain;
  const head = methods.has("GET") ? ["HEAD"] : [];
  const allow = [...new Set([...methods.keys(), ...head, "OPTIONS"])];
  if (method !== "OPTIONS") {
    return ending(outer, () => new HttpError(405, "Method Not Allowed", { cause: { allow } }));
  }
  const end = () => new Response(null, { status: 204, headers: { Allow: allow.join(", ") } });
  return { steps: [...outer.steps, end], ui: outer.ui };
}

function finish(response: Response, method: string): Response {
  if (!(response instanceof Response)) {
    return defaultErrorResponse(new Error(`Expected a "Response", but got: ${response}`));
  }
  return method === "HEAD" && response.body !== null ? new Response(null, response) : response;
}

/** An address whose host and path a URL parser would leave as they are. */
const PLAIN_URL = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(\/[\w\-~%@:+,!$&'()*;=./]*)(?:\?|$)/;

/**
 * The path of a request, and its parsed URL if it had to be parsed already. Repeated slashes are
 * joined, so that no handler takes `//host/path` for a host. The path is null if the URL cannot be
 * parsed, which a broken `Host` header can cause.
 */
function locate(req: Request): { url: URL | null; pathname: string | null } {
  const plain = PLAIN_URL.exec(req.url)?.[1];
  if (plain !== undefined && !plain.includes("//") && !/\/(?:\.|%2e)/i.test(plain)) {
    return { url: null, pathname: plain };
  }
  if (!URL.canParse(req.url)) return { url: new URL("http://localhost/"), pathname: null };
  const url = new URL(req.url);
  if (url.pathname.includes("//")) url.pathname = url.pathname.replace(/\/+/g, "/");
  return { url, pathname: url.pathname };
}
