import { type Command, normalizeRoute } from "./commands.ts";
import { pathToPattern } from "./router.ts";
import type { Middleware, Route, RouteComponent, RouteConfig, RouteHandler } from "./types.ts";

/** What a file under `routes/` may export. */
export interface FsModule<State> {
  default?: RouteComponent<State> | Middleware<State> | Middleware<State>[];
  handler?: RouteHandler<unknown, State> | Middleware<State>[];
  handlers?: RouteHandler<unknown, State> | Middleware<State>[];
  config?: RouteConfig;
}

/** A file under `routes/`: its path without extension, such as `/blog/[id]`, and its exports. */
export interface FsItem<State> {
  id: string;
  mod: FsModule<State>;
}

/** `_app` first, then each folder's own files, then its routes; the router ranks the routes. */
const RANK: Record<string, number> = { _app: 0, _middleware: 1, _layout: 2, _error: 3, _404: 3 };

/** Reads a tree of files as the calls that would build the same app by hand. */
export function fsItemsToCommands<State>(items: FsItem<State>[]): Command<State>[] {
  const ranked = items.map((item) => {
    const name = item.id.slice(item.id.lastIndexOf("/") + 1);
    return { item, name, rank: RANK[name] ?? 9 };
  });
  ranked.sort((a, b) => a.rank - b.rank || (a.item.id < b.item.id ? -1 : 1));
  return ranked.map(({ item, name }) => toCommand(item, name));
}

function toCommand<State>({ id, mod }: FsItem<State>, name: string): Command<State> {
  const handler = mod.handlers ?? mod.handler;
  const folder = pathToPattern(id.slice(1, -name.length - 1), { keepGroups: true });
  const component = mod.default as RouteComponent<State> | undefined;
  if (component === undefined && handler === undefined && mod.config === undefined) {
    throw new Error(`Could not find relevant exports in: routes${id}`);
  }
  const route = { component, config: mod.config, handler } as Route<State>;
  switch (name) {
    case "_app":
      return { type: "app", component: component! };
    case "_middleware": {
      const fns = (handler ?? mod.default) as Middleware<State> | Middleware<State>[];
      if (typeof fns !== "function" && !Array.isArray(fns)) {
        throw new Error(`A middleware is a function or an array of functions: routes${id}`);
      }
      return { type: "middleware", pattern: folder, fns: [fns].flat(), includeLast: true };
    }
    case "_layout":
      return {
        type: "layout",
        pattern: folder,
        component: component!,
        config: mod.config,
        includeLast: true,
      };
    case "_error":
    case "_500":
      return { type: "error", pattern: folder, route, includeLast: true };
    case "_404":
      return { type: "notFound", route };
    default: {
      const pattern = pathToPattern(id.slice(1), { keepGroups: true });
      return {
        type: "route",
        // A folder's index belongs to the folder, so that its layout and middleware apply.
        pattern: name === "index" && pattern !== "/" ? `${pattern}/` : pattern,
        route: normalizeRoute(route),
        path: mod.config?.routeOverride ?? pathToPattern(id.slice(1)),
        includeLast: false,
      };
    }
  }
}
