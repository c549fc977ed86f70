import type { Context } from "../context.ts";
import type { Middleware } from "../types.ts";

/** Options of {@linkcode cors}. */
export interface CORSOptions<State> {
  /** Origins that may read answers. */
  origin: string | string[] | ((origin: string, ctx: Context<State>) => string | undefined | null);
  allowMethods?: string[];
  allowHeaders?: string[];
  /** Seconds for which a browser may keep the answer to a preflight. */
  maxAge?: number;
  credentials?: boolean;
  exposeHeaders?: string[];
}

/** Lets pages of other origins read answers, and answers their preflights. */
export function cors<State>(options?: CORSOptions<State>): Middleware<State> {
  const {
    origin = "*",
    allowMethods = ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH"],
    allowHeaders = [],
    exposeHeaders = [],
    maxAge,
    credentials,
  } = options ?? {};

  return async function allowOrigins(ctx) {
    const requested = ctx.req.headers.get("Origin") ?? "";
    const allowed = typeof origin === "function"
      ? origin(requested, ctx)
      : origin === "*"
      ? "*"
      : [origin].flat().includes(requested)
      ? requested
      : null;
    const isPreflight = ctx.req.method === "OPTIONS";
    const response = isPreflight ? new Response(null, { status: 204 }) : await ctx.next();
    const { headers } = response;
    if (allowed) {
      headers.set("Access-Control-Allow-Origin", allowed);
      if (allowed !== "*") headers.append("Vary", "Origin");
    }
    if (credentials) headers.set("Access-Control-Allow-Credentials", "true");
    if (exposeHeaders.length) headers.set("Access-Control-Expose-Headers", exposeHeaders.join(","));
    if (!isPreflight) return response;

    if (maxAge !== undefined) headers.set("Access-Control-Max-Age", String(maxAge));
    if (allowMethods.length) headers.set("Access-Control-Allow-Methods", allowMethods.join(","));
    const asked = ctx.req.headers.get("Access-Control-Request-Headers");
    if (allowHeaders.length) headers.set("Access-Control-Allow-Headers", allowHeaders.join(","));
    else if (asked) {
      headers.set(
        "Access-Control-Allow-Headers",
        asked.split(",").map((name) => name.trim()).join(","),
      );
      headers.append("Vary", "Access-Control-Request-Headers");
    }
    return response;
  };
}
