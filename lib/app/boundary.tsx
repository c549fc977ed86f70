import { type Context, HttpError, type Middleware } from "fresh";
import { ErrorPage } from "../../components/ErrorPage.tsx";
import { DomainError, ERRORS, notFound, toEnvelope } from "../errors.ts";
import { peerOf } from "../http/address.ts";
import { refuseBlocked } from "../http/blocks.ts";
import { Caller } from "../http/caller.ts";
import { shownTyped } from "../http/forms.ts";
import { refuseForeignOrigin } from "../http/origin.ts";
import { json, PUBLIC_READ_HEADERS } from "../http/respond.ts";
import { addSharedHeaders } from "../http/shared_headers.ts";
import { errorFields } from "../log.ts";
import { surfaceOf } from "../stats/surface.ts";
import { hasTwin, pageOfTwin, paths } from "../urls.ts";
import type { State } from "./define.ts";
import type { Deps } from "./deps.ts";
import { allowedMethods, refuseUnknownParameters } from "./operations.ts";
import { needsNoCatalogue } from "./without_catalogue.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
const READS = ["GET", "HEAD"];
/**
 * Paths where blocked networks may post: MCP's write tools refuse them on their own, and Stripe is
 * not a visitor.
 */
const UNBLOCKED = new Set<string>([paths.mcp, "/mcp", "/api/stripe/webhook"]);

/** Requests slower than this (ms) are logged as warnings. */
const SLOW_MS = 1_000;

/**
 * The app's only boundary. It gives routes their state, refuses cross-site writes, turns every error
 * into an answer (the JSON envelope, or a page for people) and sets the headers that all answers
 * share.
 */
export function boundary(deps: Deps): Middleware<State> {
  return async function boundaryMiddleware(ctx) {
    const { req, state } = ctx;
    state.deps = deps;
    state.requestId = crypto.randomUUID();
    // A signature counts only once.
    let signer: Promise<string | null> | undefined;
    state.caller = new Caller({
      peer: peerOf(ctx.info),
      headers: req.headers,
      identity: deps.identity,
      trustedProxies: deps.env.trustedProxies,
      signer: () =>
        signer ??= deps.signatures.signerOf({
          method: req.method,
          path: ctx.url.pathname + ctx.url.search,
          headers: req.headers,
        }),
    });
    const startedAt = performance.now();
    let response: Response;
    try {
      const wait = deps.tail.upToDate();
      if (wait !== undefined) await wait;
      if (!deps.catalogue.isReady) {
        deps.sync.begin();
        if (!needsNoCatalogue(req.method, ctx.url.pathname)) await deps.sync.ready();
      }
      response = withPreflight(ctx, answerOptions(ctx) ?? await serve(ctx));
    } catch (error) {
      response = await answerError(ctx, error);
    }
    countTraffic(ctx, response);
    logRequest(ctx, response, performance.now() - startedAt);
    return addSharedHeaders(response, { urls: deps.urls, requestId: state.requestId });
  };
}

async function serve(ctx: Context<State>): Promise<Response> {
  const { req } = ctx;
  if (!SAFE.has(req.method)) {
    refuseForeignOrigin(req, ctx.state.deps.urls.base);
    if (!UNBLOCKED.has(pathOf(ctx))) {
      await refuseBlocked(ctx.state.deps, ctx.state.caller);
      refuseUnknownParameters(req, ctx.url);
    }
    // Routes do not know about Markdown twins, so they cannot refuse the method.
    if (pageOfTwin(ctx.url.pathname) !== null) throw new HttpError(405);
  }
  return toOneAddress(ctx) ?? await ctx.next();
}

/** A request's path, without the trailing slash that the API accepts. */
function pathOf({ url }: Context<State>): string {
  return url.pathname.replace(/\/$/, "");
}

/**
 * Logs a request under its route's pattern, not its URL, which can contain what a visitor typed.
 * Slow requests are warnings, others are logged at debug level.
 */
function logRequest(ctx: Context<State>, response: Response, ms: number): void {
  const { deps, requestId } = ctx.state;
  const isSlow = ms > SLOW_MS;
  if (!isSlow && deps.env.logLevel !== "debug") return;
  const { method } = ctx.req;
  const fields = { requestId, method, route: ctx.route, status: response.status };
  const write = isSlow ? deps.log.warn : deps.log.debug;
  write(isSlow ? "slow_request" : "request", { ...fields, ms: Math.round(ms * 10) / 10 });
}

/** Percent-escapes of characters that need none (RFC 3986, section 2.3). */
const NEEDLESS_ESCAPES = /%(?:2[DE]|3\d|[46][1-9A-F]|[57][0-9A]|5F|7E)/gi;

/**
 * Redirects a GET of a page with a trailing slash or needless escapes, so each page has one URL.
 * The API accepts trailing slashes, and escapes in its path parameters.
 */
function toOneAddress(ctx: Context<State>): Response | null {
  const { pathname, search } = ctx.url;
  if (
    !READS.includes(ctx.req.method) || pathname === "/" ||
    pathname.startsWith("/api/") && pathname !== "/api/"
  ) {
    return null;
  }
  const plain = pathname.replace(NEEDLESS_ESCAPES, decodeURIComponent);
  const address = plain.endsWith("/") ? plain.slice(0, -1) : plain;
  return address === pathname ? null : ctx.redirect(address + search, 308);
}

/** Counts a visit in memory, unless the response is an error or a redirect by `toOneAddress`. */
function countTraffic(ctx: Context<State>, response: Response): void {
  if (response.status >= 308 || ctx.req.method === "OPTIONS") return;
  const surface = surfaceOf(pathOf(ctx));
  if (surface === null) return;
  const { deps, caller } = ctx.state;
  deps.traffic.count({
    surface,
    visitorClass: surface === "mcp" ? "ai_agent" : caller.visitorClass,
    aiVisitor: caller.operator?.name ?? null,
  });
}

/** Answers OPTIONS on the API and on Markdown twins with the allowed methods. */
function answerOptions(ctx: Context<State>): Response | null {
  if (ctx.req.method !== "OPTIONS") return null;
  const { pathname } = ctx.url;
  const methods = allowedMethods(pathname) ?? (pageOfTwin(pathname) === null ? null : READS);
  if (methods === null) return null;
  return new Response(null, { status: 204, headers: { "Allow": methods.join(", ") } });
}

/**
 * The CORS headers that answer a preflight for a read from another site. Writes get no such
 * headers, so browsers do not send them.
 */
const READ_PREFLIGHT = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": READS.join(", "),
  "Access-Control-Allow-Headers": "Accept, If-None-Match, X-Agent-Name",
  "Access-Control-Max-Age": "7200",
  "Vary": "Access-Control-Request-Method",
};

/** Adds the headers that allow reads from other sites to an OPTIONS response. */
function withPreflight({ req }: Context<State>, response: Response): Response {
  if (req.method !== "OPTIONS" || response.status !== 204) return response;
  const asked = req.headers.get("access-control-request-method") ?? "GET";
  const isRead = READS.includes(asked) && /\bGET\b/.test(response.headers.get("Allow") ?? "");
  if (!isRead) return response;
  for (const [name, value] of Object.entries(READ_PREFLIGHT)) response.headers.set(name, value);
  return response;
}

async function answerError(ctx: Context<State>, error: unknown): Promise<Response> {
  const { deps, requestId } = ctx.state;
  const known = toDomainError(ctx, error);
  const request = { requestId, method: ctx.req.method, route: ctx.route };
  if (known.code === "internal_error") {
    deps.log.error("internal_error", { ...request, ...errorFields(error) });
  } else if (known.code === "storage_unavailable") {
    deps.log.warn("storage_unavailable", { ...request, ...errorFields(known) });
  }
  const headers: Record<string, string> = {
    "Cache-Control": "no-store",
    ...(READS.includes(ctx.req.method) && pathOf(ctx) !== paths.mcp ? PUBLIC_READ_HEADERS : {}),
    ...known.headers,
  };
  if (isForPrograms(ctx)) {
    return json(toEnvelope(known, deps.urls), { status: known.status, headers });
  }
  const page = (
    <ErrorPage
      deps={deps}
      error={known}
      back={wayBack(ctx, known)}
      typed={shownTyped(ctx.state.typed)}
    />
  );
  return await ctx.render(page, { status: known.status, headers });
}

/**
 * Where to go after an error: the entry whose vote was refused, or the page without its bad query.
 * Null if there is nothing better than the directory.
 */
function wayBack({ req, url }: Context<State>, error: DomainError) {
  const [href, kind] = /^\/(p|skills)\/[^/]+(?=\/vote$)/.exec(url.pathname) ?? [];
  if (href !== undefined && error.status !== 404) {
    return { name: `Back to the ${kind === "p" ? "project" : "skill"}`, href };
  }
  const isQuery = error.code === "invalid_input" && READS.includes(req.method) && url.search !== "";
  if (!isQuery || !hasTwin(url.pathname)) return null;
  return { name: "This page without filters", href: url.pathname };
}

/** Turns every error, including Fresh's HTTP errors, into one from the error table. */
function toDomainError(ctx: Context<State>, error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const status = error instanceof HttpError ? error.status : 500;
  const isApi = ctx.url.pathname.startsWith("/api/");
  const endpoints = `${paths.api} lists all endpoints`;
  if (status === 405) {
    const allow = (allowedMethods(ctx.url.pathname) ?? allowedByRoute(error) ?? READS).join(", ");
    return new DomainError("method_not_allowed", { allow }, {
      ...(isApi && { message: `${ERRORS.method_not_allowed.message}. ${endpoints}` }),
      headers: { Allow: allow },
    });
  }
  if (status === 404) {
    const next = isApi ? endpoints : `Start at ${paths.llms}`;
    return notFound(`${ERRORS.not_found.message}. ${next}`);
  }
  if (status === 400) {
    return new DomainError("invalid_input", [{
      field: "path",
      message: "Not a valid URL path",
    }]);
  }
  return new DomainError("internal_error", { requestId: ctx.state.requestId });
}

/** A route's methods, if Fresh's error names them. */
function allowedByRoute(error: unknown): string[] | undefined {
  const cause = error instanceof HttpError ? error.cause : undefined;
  return (cause as { allow?: string[] } | undefined)?.allow;
}

/**
 * Whether an error is sent as the JSON envelope: on the API, for machine formats, and to clients
 * that prefer or send JSON.
 */
function isForPrograms(ctx: Context<State>): boolean {
  const { pathname } = ctx.url;
  if (/^\/(api|\.well-known)\/|\.(json|txt|xml|md|svg)$/.test(pathname)) return true;
  const accept = ctx.req.headers.get("accept") ?? "*/*";
  if (accept.includes("text/html")) return false;
  if (ctx.req.headers.get("content-type")?.startsWith("application/json")) return true;
  // `/go/` is a redirect, not a page. A client that does not say what it accepts there is a
  // program.
  return pathname.startsWith("/go/") || !accept.includes("*/*");
}
