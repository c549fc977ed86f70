import { App, type Middleware, staticFiles } from "fresh";
import { markdownTwins, type Serve } from "../markdown/twins.ts";
import { boundary } from "./boundary.tsx";
import type { State } from "./define.ts";
import type { Deps } from "./deps.ts";
import { guard } from "./guard.ts";

/**
 * Creates the app: a guard, Markdown twins and one error boundary around the static files and
 * routes.
 */
export function createApp(deps: Deps): App<State> {
  const app = new App<State>();
  let handler: Serve | undefined;
  // Created on the first request for a twin, because only then are all routes known.
  const serve: Serve = (req, info) => (handler ??= app.handler())(req, info);
  return app
    .use(headLength)
    .use(guard(deps))
    .use(markdownTwins<Deps>(deps, serve))
    .use(boundary(deps))
    .use(staticFiles())
    .fsRoutes();
}

/**
 * Gives HEAD responses the `Content-Length` of GET. Otherwise the server sends 0, which RFC 9110
 * (section 8.6) forbids: a cache could take that for the body's length.
 */
const headLength: Middleware<State> = async (ctx) => {
  const response = await ctx.next();
  if (ctx.req.method !== "HEAD" || response.body === null) return response;
  const { byteLength } = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  headers.set("Content-Length", String(byteLength));
  return new Response(null, { status: response.status, headers });
};
