import { pathToPattern, type Router } from "./router.ts";
import { answer, methodsOf, type Segment } from "./segments.ts";
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

/** Each folder's own files go before the routes; the router ranks those. */
const SPECIAL = /\/_(app|middleware|layout|error)$/;

/** Adds a tree of files, as calls on an app would that build the same by hand. */
export function addFsRoutes<State>(
  items: FsItem<State>[],
  root: Segment<State>,
  router: Router<State>,
): void {
  for (const item of items) if (SPECIAL.test(item.id)) addSpecial(item, root);
  for (const item of items) {
    if (SPECIAL.test(item.id)) continue;
    const route = toRoute(item);
    const methods = methodsOf(route);
    if (methods.length === 0) throw new Error(`No handler and no page in: routes${item.id}`);
    const outer = folderOf(item, root).chain();
    router.add(methods, pathToPattern(item.id), outer, [(ctx) => answer(ctx, route, 200)]);
  }
}

function addSpecial<State>(item: FsItem<State>, root: Segment<State>): void {
  const segment = folderOf(item, root);
  const { component, handler, config } = toRoute(item);
  switch (SPECIAL.exec(item.id)![1]) {
    case "app":
      root.app = component!;
      break;
    case "layout":
      segment.layout = { component: component!, config };
      break;
    case "error":
      segment.errorRoute = { component, handler, config };
      break;
    case "middleware":
      segment.middlewares.push(...[(handler ?? component) as Middleware<State>].flat());
  }
}

function folderOf<State>({ id }: FsItem<State>, root: Segment<State>): Segment<State> {
  return root.at(pathToPattern(id.slice(0, id.lastIndexOf("/")), { keepGroups: true }));
}

function toRoute<State>({ mod }: FsItem<State>): Route<State> {
  const handler = mod.handlers ?? mod.handler;
  return { component: mod.default, handler, config: mod.config } as Route<State>;
}
