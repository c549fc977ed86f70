import type { Deps } from "../deps.ts";
import { DomainError, toEnvelope } from "../errors.ts";
import { json } from "./respond.ts";

/**
 * Characters that end the host in a URL. Deno builds a request's URL from the `Host` header as it
 * came.
 */
const ENDS_HOST = /[/?#\\]/;

/**
 * The outermost guard of the server. It refuses a request whose `Host` header is broken, so that
 * the URL does not parse or has another path than was asked for, before any router sees it.
 */
export function guard(handler: Deno.ServeHandler, deps: Pick<Deps, "urls">): Deno.ServeHandler {
  return (req, info) => {
    const host = req.headers.get("host") ?? "";
    if (!ENDS_HOST.test(host) && URL.canParse(req.url)) return handler(req, info);
    const error = new DomainError("invalid_input", [
      { field: "Host", message: "Must be a host name" },
    ]);
    return json(req, toEnvelope(error, deps.urls), { status: error.status });
  };
}
