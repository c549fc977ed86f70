import { App, staticFiles } from "fresh";
import type { State } from "./define.ts";
import type { Deps } from "./deps.ts";
import { boundary } from "./http/boundary.tsx";

/** Makes the app over its dependencies: one boundary around static files and the routes. */
export function createApp(deps: Deps): App<State> {
  return new App<State>()
    .use(boundary(deps))
    .use(staticFiles())
    .fsRoutes();
}
