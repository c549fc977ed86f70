import { type BuildCache, EMPTY_CACHE } from "./build_cache.ts";
import { applyCommands, type Command, type Compiled, normalizeRoute, toRoute } from "./commands.ts";
import { advance, Context } from "./context.ts";
import { defaultErrorResponse, HttpError, methodNotAllowed } from "./error.ts";
import { fsItemsToCommands } from "./fs_routes.ts";
import { Router } from "./router.ts";
import type {
  FreshConfig,
  LayoutConfig,
  Middleware,
  ResolvedFreshConfig,
  Route,
  RouteComponent,
  RouteConfig,
} from "./types.ts";

/** Options of {@linkcode App.listen}: those of `Deno.serve`. */
export type ListenOptions = Partial<Deno.ServeTcpOptions & Deno.TlsCertifiedKeyPem>;

/** Gives an app the build that it serves; for the builder and `_fresh/server.js`. */
export let setBuildCache: <State>(app: App<State>, cache: BuildCache<State>) => void;

const DEFAULT_INFO: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
};

/** Middlewares and routes that together answer requests. */
export class App<State> {
  /** The settings with defaults filled in. */
  config: ResolvedFreshConfig;
  #commands: Command<State>[] = [];
  #cache: BuildCache<State> | null = null;

  static {
    setBuildCache = (app, cache) => {
      app.config.root = cache.root;
      app.#cache = cache;
    };
  }

  constructor(config: FreshConfig = {}) {
    this.config = {
      root: ".",
      basePath: config.basePath ?? "",
      mode: config.mode ?? "production",
      trustProxy: config.trustProxy ?? false,
    };
  }

  /** Adds middlewares for everything that is added later, or for what is below `path`. */
  use(...middlewares: Middleware<State>[]): this;
  use(path: string, ...middlewares: Middleware<State>[]): this;
  use(first: string | Middleware<State>, ...rest: Middleware<State>[]): this {
    const pattern = typeof first === "string" ? first : "*";
    const fns = typeof first === "string" ? rest : [first, ...rest];
    return this.#add({ type: "middleware", pattern, fns, includeLast: true });
  }

  /** Sets what answers when nothing matches or a 404 is thrown. */
  notFound(route: Route<State> | Middleware<State>): this {
    return this.#add({ type: "notFound", route: toRoute(route) });
  }

  /** Sets what answers when something below `path` throws. */
  onError(path: string, route: Route<State> | Middleware<State>): this {
    return this.#add({ type: "error", pattern: path, route: toRoute(route), includeLast: true });
  }

  /** Sets the component around every page: the document. */
  appWrapper(component: RouteComponent<State>): this {
    return this.#add({ type: "app", component });
  }

  /** Sets the component around the pages below `path`. */
  layout(path: string, component: RouteComponent<State>, config?: LayoutConfig): this {
    return this.#add({ type: "layout", pattern: path, component, config, includeLast: true });
  }

  /** Adds a page with or without handlers. */
  route(path: string, route: Route<State>, config?: RouteConfig): this {
    const merged = { ...route, config: { ...route.config, ...config } };
    return this.#add({
      type: "route",
      pattern: path,
      route: normalizeRoute(merged),
      includeLast: true,
    });
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
  /** Answers HEAD. */
  head(path: string, ...fns: Middleware<State>[]): this {
    return this.#handle("HEAD", path, fns);
  }
  /** Answers every method. */
  all(path: string, ...fns: Middleware<State>[]): this {
    return this.#handle("ALL", path, fns);
  }

  /** Puts the files under `routes/` in at this point. */
  fsRoutes(pattern = "*"): this {
    return this.#add({ type: "fsRoutes", pattern });
  }

  #handle(method: string, pattern: string, fns: Middleware<State>[]): this {
    return this.#add({ type: "handler", method, pattern, fns, includeLast: true });
  }

  #add(command: Command<State>): this {
    this.#commands.push(command);
    return this;
  }

  /** Makes the function that answers requests, for `Deno.serve` and for tests. */
  handler(): (
    request: Request,
    info?: Deno.ServeHandlerInfo,
  ) => Response | Promise<Response> {
    const cache = this.#cache ?? EMPTY_CACHE as BuildCache<State>;
    const { config } = this;
    const router = new Router<Compiled<State>>();
    const fallback = applyCommands(
      router,
      this.#commands,
      config.basePath,
      () => fsItemsToCommands(cache.fsItems),
    );
    const end = (error: () => HttpError): Middleware<State> => () => {
      throw error();
    };
    const unmatched = [...fallback.chain, end(() => new HttpError(404))];
    const malformed = [...fallback.chain, end(() => new HttpError(400))];

    return function handle(req, info = DEFAULT_INFO) {
      const { url, pathname } = locate(req, config.trustProxy);
      const { method } = req;
      let chain = pathname === null ? malformed : unmatched;
      let ui = fallback.ui;
      let route: string | null = null;
      let params: Record<string, string> = {};
      const matched = pathname === null ? undefined : router.match(pathname);
      if (matched !== undefined) {
        const { entry } = matched;
        const compiled = entry.methods.get(method) ??
          (method === "HEAD" ? entry.methods.get("GET") : undefined) ?? entry.methods.get("ALL");
        route = entry.pattern;
        params = matched.params;
        if (compiled !== undefined) ({ chain, ui } = compiled);
        else chain = [...fallback.chain, answerUnhandled(method, [...entry.methods.keys()])];
      }
      const internals = { chain, index: 0, ui, buildCache: cache };
      const ctx = new Context<State>(req, url, info, route, params, config, internals);
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

  /** Serves the app; without a port, on the first free one from 8000 on. */
  async listen(options: ListenOptions = {}): Promise<void> {
    const handler = this.handler();
    for (let port = options.port ?? 8000;; port++) {
      try {
        await Deno.serve({ ...options, port }, handler).finished;
        return;
      } catch (error) {
        const isTaken = error instanceof Deno.errors.AddrInUse;
        if (!isTaken || options.port !== undefined || port >= 8019) throw error;
      }
    }
  }
}

/** An answer to a method that a known path has no handler for. */
function answerUnhandled<State>(method: string, methods: string[]): Middleware<State> {
  const allow = methods.includes("GET") ? [...methods, "HEAD", "OPTIONS"] : [...methods, "OPTIONS"];
  return () => {
    if (method !== "OPTIONS") throw methodNotAllowed(allow);
    return new Response(null, { status: 204, headers: { Allow: allow.join(", ") } });
  };
}

function finish(response: Response, method: string): Response {
  if (!(response instanceof Response)) {
    return defaultErrorResponse(
      new Error(`Expected a "Response" instance to be returned, but got: ${response}`),
    );
  }
  return method === "HEAD" && response.body !== null ? new Response(null, response) : response;
}

/** Characters of an authority and a path that a URL parser would leave as they are. */
const PLAIN_URL = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(\/[\w\-~%@:+,!$&'()*;=./]*)(?:\?|$)/;

/**
 * The path of a request, and its parsed URL when parsing could not be put off. Repeated slashes
 * are joined, so that no handler takes `//host/path` for a host. The path is null when the URL
 * cannot be parsed, which a `Host` header can bring about.
 */
function locate(req: Request, trustProxy: boolean): { url: URL | null; pathname: string | null } {
  const raw = req.url;
  const plain = trustProxy ? null : PLAIN_URL.exec(raw);
  if (plain !== null && !plain[1]!.includes("//") && !plain[1]!.includes("/.")) {
    return { url: null, pathname: plain[1]! };
  }
  if (!URL.canParse(raw)) return { url: new URL("http://localhost/"), pathname: null };
  const url = new URL(raw);
  if (url.pathname.includes("//")) url.pathname = url.pathname.replace(/\/+/g, "/");
  if (trustProxy) {
    url.protocol = req.headers.get("x-forwarded-proto") ?? url.protocol;
    url.host = req.headers.get("x-forwarded-host") ?? url.host;
  }
  return { url, pathname: url.pathname };
}
