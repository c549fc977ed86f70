import type { Middleware } from "fresh";
import type { State } from "../define.ts";
import type { Deps } from "../deps.ts";
import { DomainError, toEnvelope } from "../errors.ts";
import { json } from "./respond.ts";

/**
 * Characters that end the host in a URL. Deno builds a request's URL from the `Host` header as it
 * came.
 */
const ENDS_HOST = /[/?#\\]/;

/**
 * The outermost guard of the app. It refuses a request whose `Host` header is broken, so that the
 * URL does not parse or has another path than was asked for, before anything reads that path.
 */
export function guard({ urls }: Pick<Deps, "urls">): Middleware<State> {
  return function guardMiddleware(ctx) {
    const { req } = ctx;
    const host = req.headers.get("host") ?? "";
    if (!ENDS_HOST.test(host) && URL.canParse(req.url)) return ctx.next();
    const error = new DomainError("invalid_input", [
      { field: "Host", message: "Must be a host name" },
    ]);
    return json(req, toEnvelope(error, urls), { status: error.status });
  };
}
