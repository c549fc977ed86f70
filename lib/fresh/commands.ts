import { answerRoute, getOrCreateSegment, isByMethod, newSegment, routeStep } from "./segments.ts";
import { type Segment, segmentChain } from "./segments.ts";
import { getInternals, type Surroundings } from "./context.ts";
import { mergePath, type Router } from "./router.ts";
import type { LayoutConfig, Middleware, Route, RouteComponent } from "./types.ts";

/** One call on an {@link App}, kept until its handler is made. */
export type Command<State> =
  | { type: "app"; component: RouteComponent<State> }
  | { type: "notFound"; route: Route<State> }
  | { type: "middleware"; pattern: string; fns: Middleware<State>[]; includeLast: boolean }
  | { type: "error"; pattern: string; route: Route<State>; includeLast: boolean }
  | {
    type: "layout";
    pattern: string;
    component: RouteComponent<State>;
    config?: LayoutConfig;
    includeLast: boolean;
  }
  | { type: "route"; pattern: string; path?: string; route: Route<State>; includeLast: boolean }
  | {
    type: "handler";
    pattern: string;
    method: string;
    fns: Middleware<State>[];
    includeLast: boolean;
  }
  | { type: "fsRoutes"; pattern: string };

/** What a request to one pattern passes: a chain that ends in an answer. */
export interface Compiled<State> {
  chain: Middleware<State>[];
  ui: Surroundings<State>;
}

/** A route given as a function or an object, as an object. */
export function toRoute<State>(route: Route<State> | Middleware<State>): Route<State> {
  return typeof route === "function" ? { handler: route } : route;
}

/** A page whose handlers lack GET renders without data. */
export function normalizeRoute<State>(route: Route<State>): Route<State> {
  if (route.component === undefined || !isByMethod(route.handler) || route.handler.GET) {
    return route;
  }
  return { ...route, handler: { ...route.handler, GET: () => ({ data: {} }) } };
}

/** Turns the calls into routes; returns the chain of requests that match none. */
export function applyCommands<State>(
  router: Router<Compiled<State>>,
  commands: Command<State>[],
  basePath: string,
  fsRoutes: () => Command<State>[],
): Compiled<State> {
  const root = newSegment<State>(null);
  applyInner(root, router, commands, basePath, fsRoutes);
  const { steps, ui } = segmentChain(root);
  return { chain: steps, ui };
}

function applyInner<State>(
  root: Segment<State>,
  router: Router<Compiled<State>>,
  commands: Command<State>[],
  basePath: string,
  fsRoutes: () => Command<State>[],
): void {
  for (const command of commands) {
    switch (command.type) {
      case "app":
        root.app = command.component;
        break;
      case "notFound": {
        const { route } = command;
        root.notFound = (ctx) => answerNotFound(ctx, route);
        break;
      }
      case "middleware":
        segmentOf(command).middlewares.push(...command.fns);
        break;
      case "error":
        segmentOf(command).errorRoute = command.route;
        break;
      case "layout":
        segmentOf(command).layout = { component: command.component, config: command.config };
        break;
      case "route": {
        const { steps, ui } = segmentChain(segmentOf(command));
        const { route } = command;
        const path = mergePath(
          basePath,
          command.path ?? route.config?.routeOverride ?? command.pattern,
        );
        router.add("ALL", path, { chain: [...steps, routeStep(route, ui)], ui });
        break;
      }
      case "handler": {
        const { steps, ui } = segmentChain(segmentOf(command));
        const path = mergePath(basePath, command.pattern);
        router.add(command.method, path, { chain: [...steps, ...command.fns], ui });
        break;
      }
      case "fsRoutes":
        applyInner(root, router, fsRoutes(), mergePath(basePath, command.pattern), fsRoutes);
        break;
    }
  }

  function segmentOf(command: { pattern: string; includeLast: boolean }): Segment<State> {
    return getOrCreateSegment(root, command.pattern, command.includeLast);
  }
}

function answerNotFound<State>(
  ctx: Parameters<Middleware<State>>[0],
  route: Route<State>,
): Response | Promise<Response> {
  const internals = getInternals(ctx);
  const { config } = route;
  internals.ui = {
    app: config?.skipAppWrapper ? null : internals.ui.app,
    layouts: config?.skipInheritedLayouts ? [] : internals.ui.layouts,
  };
  // Fresh answers a component's 404 page with status 200; a page that says "not found" must say 404.
  return answerRoute(ctx, route, 404);
}
