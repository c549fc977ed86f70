import type { Context } from "../context.ts";
import { HttpError } from "../error.ts";
import type { Middleware } from "../types.ts";

/** Options of {@linkcode csrf}. */
// deno-lint-ignore no-explicit-any
export interface CsrfOptions<State = any> {
  /** Origins that may send state-changing requests; default the app's own. */
  origin?: string | string[] | ((origin: string, context: Context<State>) => boolean);
}

/**
 * Answers 403 to a state-changing request that a browser says comes from another site. Clients
 * that send neither `Sec-Fetch-Site` nor `Origin` are not browsers and pass.
 */
export function csrf<State>(options: CsrfOptions<State> = {}): Middleware<State> {
  const isAllowed = (origin: string | null, ctx: Context<State>): boolean => {
    if (origin === null) return false;
    const allowed = options.origin ?? ctx.url.origin;
    if (typeof allowed === "function") return allowed(origin, ctx);
    return Array.isArray(allowed) ? allowed.includes(origin) : origin === allowed;
  };
  return function refuseForeign(ctx) {
    const { method, headers } = ctx.req;
    if (method === "GET" || method === "HEAD" || method === "OPTIONS") return ctx.next();
    const site = headers.get("Sec-Fetch-Site");
    const origin = headers.get("Origin");
    const isOwn = site === null
      ? origin === null || isAllowed(origin, ctx)
      : site === "same-origin" || site === "none" || isAllowed(origin, ctx);
    if (!isOwn) throw new HttpError(403);
    return ctx.next();
  };
}
