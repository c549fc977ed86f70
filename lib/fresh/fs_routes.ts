import { pathToPattern, type Router, withParams } from "./router.ts";
import { errorPage, type Segment, stepsOf } from "./segments.ts";
import type { Middleware, Route } from "./types.ts";

/** A file under `routes/`: its path without extension, such as `/blog/[id]`, and its exports. */
export interface FsItem {
  id: string;
  mod: Record<string, unknown>;
}

/** Each folder's own files go before the routes; the router ranks those. */
const SPECIAL = /\/_(app|middleware|layout|error)$/;

/** Adds a tree of files, as calls on an app would that build the same by hand. */
export function addFsRoutes<State>(
  items: FsItem[],
  root: Segment<State>,
  router: Router<State>,
): void {
  for (const item of items) if (SPECIAL.test(item.id)) addSpecial(item, root);
  for (const item of items) {
    if (SPECIAL.test(item.id)) continue;
    const steps = stepsOf<State>(toRoute(item));
    if (steps.length === 0) throw new Error(`No handler and no page in: routes${item.id}`);
    const outer = folderOf(item, root).chain();
    for (const [method, step] of steps) router.add(method, pathToPattern(item.id), outer, [step]);
  }
}

function addSpecial<State>(item: FsItem, root: Segment<State>): void {
  const segment = folderOf(item, root);
  const route = toRoute<State>(item);
  switch (SPECIAL.exec(item.id)![1]) {
    case "app":
      root.app = route.component!;
      break;
    case "layout":
      segment.layout = route.component!;
      break;
    case "error":
      segment.onError = errorPage(route);
      break;
    case "middleware":
      segment.middlewares.push(...[(route.handler ?? route.component) as Middleware<State>].flat());
  }
}

function folderOf<State>({ id }: FsItem, root: Segment<State>): Segment<State> {
  return root.at(withParams(id.slice(0, id.lastIndexOf("/"))));
}

function toRoute<State>({ mod }: FsItem): Route<State> {
  const handler = mod.handlers ?? mod.handler;
  return { component: mod.default, handler, config: mod.config } as Route<State>;
}
