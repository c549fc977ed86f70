import type { AnyComponent, FunctionComponent, VNode } from "preact";
import type { Context } from "./context.ts";

/** HTTP methods that routes can answer. */
type Method = "HEAD" | "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS";

/** One step of the chain that a request passes: answers itself or calls `ctx.next()`. */
export type Middleware<State> = (ctx: Context<State>) => Response | Promise<Response>;

/** What a handler returns to have its page component rendered. Made by {@linkcode page}. */
export interface PageResponse<T> {
  data: T;
  headers?: HeadersInit;
  status?: number;
}

/** Makes the page component render with `data`; `status` and `headers` go into the response. */
export function page<T>(
  data: T,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<T> {
  return { data, ...options };
}

/** A handler for one method of a route. */
export type HandlerFn<Data, State> = (
  ctx: Context<State>,
) => Response | PageResponse<Data> | Promise<Response | PageResponse<Data>>;

/** Handlers of a route by method. */
type HandlerByMethod<Data, State> = { [M in Method]?: HandlerFn<Data, State> };

/** What a route file exports as `handler`. */
type RouteHandler<Data, State> = HandlerFn<Data, State> | HandlerByMethod<Data, State>;

/** The props of every page and of the app wrapper. */
export type PageProps<Data = unknown, State = unknown> =
  & Pick<Context<State>, "url" | "req" | "params" | "state" | "error">
  & {
    /** What the handler gave to {@linkcode page}. */
    data: Data;
    /** The page inside the app wrapper. */
    Component: FunctionComponent;
  };

/** A page or the app wrapper; it may be asynchronous. */
export type RouteComponent<State> =
  // deno-lint-ignore no-explicit-any
  (props: PageProps<any, State>) => VNode | Promise<VNode>;

/** Typed makers for route files, see {@linkcode createDefine}. */
interface Define<State> {
  handlers<Data, Handlers extends RouteHandler<Data, State> = RouteHandler<Data, State>>(
    handlers: Handlers,
  ): typeof handlers;
  page<
    // deno-lint-ignore no-explicit-any
    Handler extends RouteHandler<any, State> = never,
    Data = Handler extends HandlerFn<infer Data, State> ? Data
      : Handler extends HandlerByMethod<infer Data, State> ? Data
      : never,
  >(render: AnyComponent<PageProps<Data, State>>): typeof render;
}

/** Functions that only carry types, so that handlers and pages share one `State`. */
export function createDefine<State>(): Define<State> {
  return { handlers: (handlers) => handlers, page: (render) => render };
}
