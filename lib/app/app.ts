import { App, staticFiles } from "fresh";
import { headLength } from "../http/head.ts";
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
    .use(headLength())
    .use(guard(deps))
    .use(markdownTwins<Deps>(deps, serve))
    .use(boundary(deps))
    .use(staticFiles())
    .fsRoutes();
}
