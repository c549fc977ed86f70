import type { Middleware } from "fresh";

/**
 * Gives the answer to HEAD the `Content-Length` that GET would have. Otherwise the server says 0,
 * which RFC 9110 (section 8.6) forbids: a cache may take that for the length of the body.
 */
export function headLength<State>(): Middleware<State> {
  return async function headLengthMiddleware(ctx) {
    const response = await ctx.next();
    if (ctx.req.method !== "HEAD" || response.body === null) return response;
    const { byteLength } = await response.arrayBuffer();
    const headers = new Headers(response.headers);
    headers.set("Content-Length", String(byteLength));
    return new Response(null, { status: response.status, headers });
  };
}
