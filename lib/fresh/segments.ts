import { advance, type Context, getInternals, type Surroundings, without } from "./context.ts";
import { statusOf } from "./error.ts";
import { renderPage } from "./render.ts";
import type { Chain } from "./router.ts";
import type { HandlerFn, Middleware, Route, RouteComponent } from "./types.ts";

/** A folder of the URL space with what applies to everything in it. */
export class Segment<State> {
  middlewares: Middleware<State>[] = [];
  layout: RouteComponent<State> | null = null;
  /** Answers when something in it throws. */
  onError: Middleware<State> | null = null;
  /** Set on the root segment alone. */
  app: RouteComponent<State> | null = null;
  /** Set on the root segment alone; answers when a 404 is thrown. */
  notFound: Middleware<State> | null = null;
  #children = new Map<string, Segment<State>>();

  constructor(readonly parent: Segment<State> | null = null) {}

  /** The segment at a path below this one, made when it is not there yet. */
  at(path: string): Segment<State> {
    const names = path.split("/").filter((name) => name !== "" && name !== "*");
    return names.reduce<Segment<State>>(
      (parent, name) => {
        const child = parent.#children.get(name) ?? new Segment(parent);
        parent.#children.set(name, child);
        return child;
      },
      this,
    );
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
      const isBare = !s.layout && !s.onError && s.middlewares.length === 0;
      if (isBare && s !== root) continue;
      const outer = ui;
      if (s.layout !== null) ui = { app: ui.app, layouts: [...ui.layouts, s.layout] };
      steps.push(boundary(root, s.onError, outer, ui), ...s.middlewares);
    }
    return { steps, ui };
  }
}

/** Catches what is thrown below it and answers with the segment's error page or the 404 page. */
function boundary<State>(
  root: Segment<State>,
  onError: Middleware<State> | null,
  outer: Surroundings<State>,
  ui: Surroundings<State>,
): Middleware<State> {
  return function segmentBoundary(ctx) {
    const internals = getInternals(ctx);
    internals.ui = ui;
    const recover = (error: unknown): Response | Promise<Response> => {
      ctx.error = error;
      internals.ui = ui;
      if (root.notFound !== null && statusOf(error) === 404) return root.notFound(ctx);
      if (onError !== null) return onError(ctx);
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

/** What answers each method that a route has, the key `ALL` those that have nothing of their own. */
export function stepsOf<State>(route: Route<State>): [method: string, step: Middleware<State>][] {
  const { handler, component } = route;
  const handlers: Record<string, HandlerFn<unknown, State>> = typeof handler === "function"
    ? { ALL: handler }
    : { ...(component && { GET: noData }), ...handler };
  return Object.entries(handlers)
    .map(([method, run]) => [method, (ctx) => answer(ctx, route, run, 200)]);
}

/** The error page of a file. */
export function errorPage<State>(route: Route<State>): Middleware<State> {
  return (ctx) => answer(ctx, route, noData, statusOf(ctx.error));
}

const noData = () => ({ data: {} });

/** Runs a handler, and renders the page of its route with `status` if it does not answer itself. */
function answer<State>(
  ctx: Context<State>,
  { component, config }: Route<State>,
  run: HandlerFn<unknown, State>,
  status: number,
): Response | Promise<Response> {
  const internals = getInternals(ctx);
  internals.ui = without(internals.ui, config);
  const result = run(ctx);
  if (result instanceof Response) return result;
  if (!(result instanceof Promise)) return renderPage(ctx, component, result, status);
  return result.then((settled) =>
    settled instanceof Response ? settled : renderPage(ctx, component, settled, status)
  );
}
