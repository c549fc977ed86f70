import { App, staticFiles } from "fresh";
import type { State } from "./define.ts";
import type { Deps } from "./deps.ts";
import { boundary } from "./http/boundary.tsx";
import { headLength } from "./http/head.ts";
import { markdownTwins, type Serve } from "./markdown/twins.ts";

/** Makes the app over its dependencies: Markdown twins and one boundary around static files and the routes. */
export function createApp(deps: Deps): App<State> {
  const app = new App<State>();
  let handler: Serve | undefined;
  // The handler is made when the first twin is asked for: by then the routes are known.
  const serve: Serve = (req, info) => (handler ??= app.handler() as Serve)(req, info);
  return app
    .use(headLength())
    .use(markdownTwins(deps, serve))
    .use(boundary(deps))
    .use(staticFiles())
    .fsRoutes();
}
