import { advance, getInternals, type Surroundings, without } from "./context.ts";
import type { Context } from "./context.ts";
import { HttpError, methodNotAllowed } from "./error.ts";
import { patternToSegments } from "./router.ts";
import { renderPage } from "./render.ts";
import type {
  HandlerByMethod,
  LayoutConfig,
  Middleware,
  Route,
  RouteComponent,
  RouteHandler,
} from "./types.ts";

/** A folder of the URL space with what applies to everything in it. */
export interface Segment<State> {
  parent: Segment<State> | null;
  children: Map<string, Segment<State>>;
  middlewares: Middleware<State>[];
  layout: { component: RouteComponent<State>; config: LayoutConfig | undefined } | null;
  errorRoute: Route<State> | null;
  /** Set on the root segment alone. */
  app: RouteComponent<State> | null;
  /** Set on the root segment alone; looked up when a 404 is thrown. */
  notFound: Middleware<State> | null;
}

/** An empty segment below `parent`. */
export function newSegment<State>(parent: Segment<State> | null): Segment<State> {
  return {
    parent,
    children: new Map(),
    middlewares: [],
    layout: null,
    errorRoute: null,
    app: null,
    notFound: null,
  };
}

/** The segment of a pattern, made when it is not there yet. */
export function getOrCreateSegment<State>(
  root: Segment<State>,
  pattern: string,
  includeLast: boolean,
): Segment<State> {
  let current = root;
  for (const name of patternToSegments(pattern, includeLast)) {
    let child = current.children.get(name);
    if (child === undefined) current.children.set(name, child = newSegment(current));
    current = child;
  }
  return current;
}

/** The steps from the root to `segment`, as they stand now: what is added later does not apply. */
export function segmentChain<State>(
  segment: Segment<State>,
): { steps: Middleware<State>[]; ui: Surroundings<State> } {
  const path: Segment<State>[] = [];
  for (let s: Segment<State> | null = segment; s !== null; s = s.parent) path.unshift(s);
  const root = path[0]!;
  const steps: Middleware<State>[] = [];
  let ui: Surroundings<State> = { app: null, layouts: [] };
  for (const s of path) {
    // A segment without anything of its own would do exactly what its parent does.
    const isBare = !s.layout && !s.errorRoute && s.middlewares.length === 0;
    if (isBare && s !== root) continue;
    const outer = ui;
    if (s.app !== null) ui = { ...ui, app: s.app };
    if (s.layout !== null) {
      const kept = without(ui, s.layout.config);
      ui = { app: kept.app, layouts: [...kept.layouts, s.layout.component] };
    }
    steps.push(boundary(root, s.errorRoute, outer, ui), ...s.middlewares);
  }
  return { steps, ui };
}

/** Catches what is thrown below it and answers with the segment's error page or the 404 page. */
function boundary<State>(
  root: Segment<State>,
  errorRoute: Route<State> | null,
  outer: Surroundings<State>,
  ui: Surroundings<State>,
): Middleware<State> {
  return function segmentBoundary(ctx) {
    const internals = getInternals(ctx);
    internals.ui = ui;
    const recover = (error: unknown): Response | Promise<Response> => {
      const status = error instanceof HttpError ? error.status : 500;
      ctx.error = error;
      if (root.notFound !== null && status === 404) {
        internals.ui = ui;
        return root.notFound(ctx);
      }
      if (errorRoute !== null) {
        internals.ui = without(ui, errorRoute.config);
        return answerRoute(ctx, errorRoute, status);
      }
      internals.ui = outer;
      throw error;
    };
    try {
      const result = advance(ctx);
      return result instanceof Promise ? result.catch(recover) : result;
    } catch (error) {
      return recover(error);
    }
  };
}

/** Whether a handler is a table by method. */
export function isByMethod<State>(
  handler: RouteHandler<unknown, State> | undefined,
): handler is HandlerByMethod<unknown, State> {
  return typeof handler === "object" && handler !== null;
}

/** The methods that a route answers, for `Allow`; null when its handler takes all. */
export function allowedMethods<State>(route: Route<State>): string[] | null {
  const { handler, component } = route;
  if (typeof handler === "function") return null;
  if (handler === undefined && component === undefined) return null;
  const methods = new Set(Object.keys(handler ?? {}));
  if (component !== undefined) methods.add("GET");
  if (methods.has("GET")) methods.add("HEAD");
  methods.add("OPTIONS");
  return [...methods];
}

/** The last step of a route: runs its handler and renders its component. */
export function routeStep<State>(
  route: Route<State>,
  ui: Surroundings<State>,
): Middleware<State> {
  const pageUi = without(ui, route.config);
  const allow = allowedMethods(route);
  return function answer(ctx) {
    getInternals(ctx).ui = pageUi;
    const method = ctx.req.method;
    if (allow !== null && !allow.includes(method)) throw methodNotAllowed(allow);
    if (
      method === "OPTIONS" && allow !== null &&
      !(isByMethod(route.handler) && route.handler.OPTIONS)
    ) {
      return new Response(null, { status: 204, headers: { Allow: allow.join(", ") } });
    }
    return answerRoute(ctx, route, 200);
  };
}

/** Runs a route's handler for the request's method; `status` is that of a rendered page. */
export function answerRoute<State>(
  ctx: Context<State>,
  route: Route<State>,
  status: number,
): Response | Promise<Response> {
  const { handler } = route;
  let run = typeof handler === "function" ? handler : undefined;
  if (isByMethod(handler)) {
    const method = ctx.req.method as keyof typeof handler;
    run = handler[method] ?? (method === "HEAD" ? handler.GET : undefined);
  }
  if (run === undefined) {
    if (route.component === undefined) throw new HttpError(404);
    return renderPage(ctx, route.component, { data: {} }, status);
  }
  const result = run(ctx);
  if (result instanceof Response) return result;
  if (result instanceof Promise) {
    return result.then((settled) =>
      settled instanceof Response ? settled : renderPage(ctx, route.component, settled, status)
    );
  }
  return renderPage(ctx, route.component, result, status);
}
