import { renderPage } from "./render.ts";
import { pathToPattern, type Router } from "./router.ts";
import type { HandlerFn, Middleware, RouteComponent } from "./types.ts";

/** A file under `routes/`: its path without extension, such as `/blog/[id]`, and its exports. */
export interface FsItem {
  id: string;
  mod: Record<string, unknown>;
}

/** Files that apply to their whole folder; the router ranks the others. */
const SPECIAL = /^(.*)\/_(?:app|middleware)$/;

/**
 * Adds the routes in a file tree. Each request passes `outer`, then its folders' middlewares,
 * outermost first.
 */
export function addFsRoutes<State>(
  items: FsItem[],
  outer: Middleware<State>[],
  router: Router<State>,
): void {
  const middlewares = new Map<string, Middleware<State>>();
  for (const { id, mod } of items) {
    if (!id.endsWith("/_middleware")) continue;
    middlewares.set(SPECIAL.exec(id)![1]!, mod.default as Middleware<State>);
  }
  for (const { id, mod } of items) {
    if (SPECIAL.test(id)) continue;
    if (/\/_[^/]*$/.test(id)) throw new Error(`Unknown kind of file: routes${id}`);
    const folders = id.split("/").slice(0, -1).map((_, i, names) =>
      names.slice(0, i + 1).join("/")
    );
    const steps = [...outer, ...folders.flatMap((folder) => middlewares.get(folder) ?? [])];
    const methods = new Map<string, Middleware<State>[]>();
    for (const [method, answer] of answersOf<State>(mod)) methods.set(method, [...steps, answer]);
    if (methods.size === 0) throw new Error(`Neither a handler nor a page in: routes${id}`);
    router.add({ pattern: pathToPattern(id), outer: steps, methods });
  }
}

/**
 * A route's handler for each method; the key `ALL` handles the rest. The route's page is rendered
 * unless the handler returns a response.
 */
function answersOf<State>(
  mod: Record<string, unknown>,
): [method: string, answer: Middleware<State>][] {
  const component = mod.default as RouteComponent<State> | undefined;
  const { handler } = mod;
  const handlers =
    (typeof handler === "function"
      ? { ALL: handler }
      : { ...(component && { GET: () => ({ data: {} }) }), ...handler as object }) as Record<
        string,
        HandlerFn<unknown, State>
      >;
  return Object.entries(handlers).map(([method, run]) => [method, async (ctx) => {
    const result = await run(ctx);
    return result instanceof Response ? result : renderPage(ctx, component!, result);
  }]);
}
