import type { Middleware } from "fresh";
import { DomainError, toEnvelope } from "../errors.ts";
import { logAddressSource, peerOf } from "../http/address.ts";
import { countPairs } from "../http/body.ts";
import { json } from "../http/respond.ts";
import type { State } from "./define.ts";
import type { Deps } from "./deps.ts";

/**
 * Characters that end the host in a URL. Deno builds a request's URL from the `Host` header as it
 * came.
 */
const ENDS_HOST = /[/?#\\]/;

/**
 * The most parameters that a query may have. The votes of a page's items are asked for with some
 * 200; pages repeat those that they do not know in their links.
 */
const PARAMETERS_MAX = 300;

/**
 * The outermost guard of the app. It refuses a query of too many parameters, and a request whose
 * `Host` header is broken, so that the URL does not parse or has another path than was asked for,
 * before anything reads that path.
 */
export function guard(
  { urls, env, log }: Pick<Deps, "urls" | "env" | "log">,
): Middleware<State> {
  let isFirst = true;
  return function guardMiddleware(ctx) {
    const { req } = ctx;
    if (isFirst) {
      isFirst = false;
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
    return json(ctx, toEnvelope(error, urls), { status: error.status });
  };
}
