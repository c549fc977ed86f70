import type { Middleware } from "fresh";

/**
 * Gives HEAD responses the `Content-Length` of GET. Otherwise the server sends 0, which RFC 9110
 * (section 8.6) forbids: a cache could take that for the body's length.
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
