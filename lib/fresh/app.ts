import { type BuildCache, EMPTY_CACHE } from "./build_cache.ts";
import { Context } from "./context.ts";
import { defaultErrorResponse, HttpError } from "./error.ts";
import { addFsRoutes } from "./fs_routes.ts";
import { type RouteEntry, Router } from "./router.ts";
import { setBuildId } from "./shared.ts";
import type { Middleware } from "./types.ts";

const DEFAULT_INFO: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
};

/** Middlewares and routes that handle requests. */
export class App<State> {
  #cache = EMPTY_CACHE;
  #middlewares: Middleware<State>[] = [];
  /** The middlewares before the file routes; null if the app has no such routes. */
  #beforeRoutes: Middleware<State>[] | null = null;

  /** Gives the app its build; for the builder and `_fresh/server.js`. */
  setBuildCache(cache: BuildCache): void {
    setBuildId(cache.snapshot.version);
    this.#cache = cache;
  }

  /** Adds middlewares for every request, before the file routes if those are added later. */
  use(...middlewares: Middleware<State>[]): this {
    this.#middlewares.push(...middlewares);
    return this;
  }

  /** Inserts the files under `routes/` here. */
  fsRoutes(): this {
    this.#beforeRoutes = [...this.#middlewares];
    return this;
  }

  /** Makes the request handler for `Deno.serve` and for tests. */
  handler(): (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> {
    const buildCache = this.#cache;
    const router = new Router<State>();
    if (this.#beforeRoutes !== null) {
      addFsRoutes(buildCache.snapshot.fsItems, this.#beforeRoutes, router);
    }
    const unmatched = ending(this.#middlewares, () => new HttpError(404, "Not Found"));
    const malformed = ending(this.#middlewares, () => new HttpError(400, "Bad Request"));

    return async function handle(req, info = DEFAULT_INFO) {
      const { method } = req;
      const parsed = parseUrl(req);
      const matched = parsed && router.match(parsed.pathname);
      const chain = parsed === null
        ? malformed
        : matched
        ? chainFor(matched.entry, method)
        : unmatched;
      const url = parsed ?? new URL("http://localhost/");
      const route = matched?.entry.pattern ?? null;
      const params = matched?.params ?? {};
      const ctx = new Context<State>(req, url, info, route, params, buildCache, chain);
      try {
        return finish(await ctx.next(), method);
      } catch (error) {
        return defaultErrorResponse(error);
      }
    };
  }
}

/** A chain that ends in an error. */
function ending<State>(
  steps: Middleware<State>[],
  error: () => HttpError,
): Middleware<State>[] {
  const end = () => {
    throw error();
  };
  return [...steps, end];
}

/** The chain for a method on a known path. OPTIONS gets `Allow`; an unknown method gets 405. */
function chainFor<State>(
  { methods, outer }: RouteEntry<State>,
  method: string,
): Middleware<State>[] {
  const chain = methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : undefined) ??
    methods.get("ALL");
  if (chain !== undefined) return chain;
  const head = methods.has("GET") ? ["HEAD"] : [];
  const allow = [...new Set([...methods.keys(), ...head, "OPTIONS"])];
  if (method !== "OPTIONS") {
    return ending(outer, () => new HttpError(405, "Method Not Allowed", { cause: { allow } }));
  }
  const end = () => new Response(null, { status: 204, headers: { Allow: allow.join(", ") } });
  return [...outer, end];
}

function finish(response: Response, method: string): Response {
  if (!(response instanceof Response)) {
    return defaultErrorResponse(new Error(`Expected a "Response", but got: ${response}`));
  }
  return method === "HEAD" && response.body !== null ? new Response(null, response) : response;
}

/**
 * A request's URL, or null if it can't be parsed, for example due to a broken `Host` header. Repeated
 * slashes become one, so no handler takes `//host/path` for a host.
 */
function parseUrl(req: Request): URL | null {
  const url = URL.parse(req.url);
  if (url?.pathname.includes("//")) url.pathname = url.pathname.replace(/\/+/g, "/");
  return url;
}
