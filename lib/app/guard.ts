import type { Middleware } from "fresh";
import { DomainError, toEnvelope } from "../errors.ts";
import { isForwarded, logAddressSource, peerOf } from "../http/address.ts";
import { countPairs } from "../http/body.ts";
import { json } from "../http/respond.ts";
import { addSharedHeaders } from "../http/shared_headers.ts";
import type { State } from "./define.ts";
import type { Deps } from "./deps.ts";

/**
 * Characters that end the host in a URL. Deno builds a request's URL from the raw `Host` header.
 */
const ENDS_HOST = /[/?#\\]/;

/**
 * The maximum number of query parameters. Requests for the votes of a page's entries use about 200;
 * pages repeat unknown parameters in their links.
 */
const PARAMETERS_MAX = 300;

/**
 * The app's outermost guard. It refuses queries with too many parameters, and requests with a
 * `Host` header so broken that the URL does not parse or has a different path. It does so before
 * anything reads that path.
 */
export function guard(
  { urls, env, log }: Pick<Deps, "urls" | "env" | "log">,
): Middleware<State> {
  let isFirst = true;
  let sawForwarded = false;
  return function guardMiddleware(ctx) {
    const { req } = ctx;
    // The first request is often a health check on this machine, which says nothing about the proxy.
    const isFirstForwarded = !sawForwarded && isForwarded(req.headers);
    if (isFirst || isFirstForwarded) {
      isFirst = false;
      sawForwarded = isFirstForwarded;
      logAddressSource(log, peerOf(ctx.info), req.headers, env.trustedProxies);
    }
    const host = req.headers.get("host") ?? "";
    const isHost = !ENDS_HOST.test(host) && URL.canParse(req.url);
    if (isHost && countPairs(req.url) <= PARAMETERS_MAX) return ctx.next();
    const error = new DomainError("invalid_input", [
      isHost
        ? { field: "query", message: `Must have at most ${PARAMETERS_MAX} parameters` }
        : { field: "Host", message: "Must be a host name" },
    ]);
    const response = json(toEnvelope(error, urls), { status: error.status });
    return addSharedHeaders(response, { urls, requestId: crypto.randomUUID() });
  };
}
