import { advance, type Context, getInternals, type Surroundings, without } from "./context.ts";
import { HttpError } from "./error.ts";
import { renderPage } from "./render.ts";
import type { Chain } from "./router.ts";
import type {
  HandlerByMethod,
  Method,
  Middleware,
  Route,
  RouteComponent,
  RouteConfig,
} from "./types.ts";

/** A folder of the URL space with what applies to everything in it. */
export class Segment<State> {
  middlewares: Middleware<State>[] = [];
  layout: { component: RouteComponent<State>; config: RouteConfig | undefined } | null = null;
  errorRoute: Route<State> | null = null;
  /** Set on the root segment alone. */
  app: RouteComponent<State> | null = null;
  /** Set on the root segment alone; answers when a 404 is thrown. */
  notFound: Middleware<State> | null = null;
  #children = new Map<string, Segment<State>>();

  constructor(readonly parent: Segment<State> | null = null) {}

  /** The segment at a path below this one, made when it is not there yet. */
  at(path: string): Segment<State> {
    const names = path.split("/").filter((name) => name !== "" && name !== "*");
    return names.reduce<Segment<State>>((segment, name) => segment.#child(name), this);
  }

  #child(name: string): Segment<State> {
    return this.#children.getOrInsertComputed(name, () => new Segment(this));
  }

  /** The segments from the root to here. */
  #path(): Segment<State>[] {
    return this.parent === null ? [this] : [...this.parent.#path(), this];
  }

  /** The steps from the root to here, as they stand now: what is added later does not apply. */
  chain(): Chain<State> {
    const path = this.#path();
    const root = path[0]!;
    const steps: Middleware<State>[] = [];
    let ui: Surroundings<State> = { app: root.app, layouts: [] };
    for (const s of path) {
      // A segment without anything of its own would do exactly what its parent does.
      const isBare = !s.layout && !s.errorRoute && s.middlewares.length === 0;
      if (isBare && s !== root) continue;
      const outer = ui;
      if (s.layout !== null) {
        const kept = without(ui, s.layout.config);
        ui = { app: kept.app, layouts: [...kept.layouts, s.layout.component] };
      }
      steps.push(boundary(root, s.errorRoute, outer, ui), ...s.middlewares);
    }
    return { steps, ui };
  }
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
      internals.ui = ui;
      if (root.notFound !== null && status === 404) return root.notFound(ctx);
      if (errorRoute !== null) return answer(ctx, errorRoute, status);
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

/** The methods that a route answers: `ALL` of them where its handler is one function. */
export function methodsOf<State>({ handler, component }: Route<State>): string[] {
  if (typeof handler === "function") return ["ALL"];
  const methods = Object.keys(handler ?? {});
  return component === undefined ? methods : [...methods, "GET"];
}

/** Runs a route's handler for the request's method and renders its page with `status`. */
export function answer<State>(
  ctx: Context<State>,
  route: Route<State>,
  status: number,
): Response | Promise<Response> {
  const internals = getInternals(ctx);
  internals.ui = without(internals.ui, route.config);
  const run = typeof route.handler === "function"
    ? route.handler
    : ofMethod(route.handler ?? {}, ctx.req.method as Method);
  const result = run === undefined ? { data: {} } : run(ctx);
  if (result instanceof Response) return result;
  if (!(result instanceof Promise)) return renderPage(ctx, route.component, result, status);
  return result.then((settled) =>
    settled instanceof Response ? settled : renderPage(ctx, route.component, settled, status)
  );
}

function ofMethod<State>(handlers: HandlerByMethod<unknown, State>, method: Method) {
  return handlers[method] ?? (method === "HEAD" ? handlers.GET : undefined);
}
