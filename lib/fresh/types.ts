import type { AnyComponent, VNode } from "preact";
import type { Context } from "./context.ts";

/** HTTP methods that routes can answer. */
export type Method = "HEAD" | "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS";

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
): PageResponse<T>;
export function page(): PageResponse<undefined>;
export function page<T>(
  data?: T,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<T> {
  return { data: data as T, headers: options?.headers, status: options?.status };
}

/** A handler for one method of a route. */
export interface HandlerFn<Data, State> {
  (
    ctx: Context<State>,
  ): Response | PageResponse<Data> | Promise<Response | PageResponse<Data>>;
}

/** Handlers of a route by method. */
export type HandlerByMethod<Data, State> = { [M in Method]?: HandlerFn<Data, State> };

/** What a route file exports as `handler` or `handlers`. */
export type RouteHandler<Data, State> = HandlerFn<Data, State> | HandlerByMethod<Data, State>;

/** The props of every page, layout, app wrapper and error page. */
export type PageProps<Data = unknown, T = unknown> =
  & Pick<
    Context<T>,
    | "config"
    | "url"
    | "req"
    | "params"
    | "info"
    | "state"
    | "isPartial"
    | "Component"
    | "error"
    | "route"
  >
  & { data: Data };

/** A component that may be asynchronous and may answer with a response of its own. */
export type AsyncAnyComponent<P> = (props: P) => Promise<VNode | Response | null>;

/** A page, layout or app wrapper. */
export type RouteComponent<State> =
  // deno-lint-ignore no-explicit-any
  AnyComponent<PageProps<any, State>> | AsyncAnyComponent<PageProps<any, State>>;

/** Which of the surrounding components a page or layout leaves out. */
export interface LayoutConfig {
  skipInheritedLayouts?: boolean;
  skipAppWrapper?: boolean;
}

/** What a route file may export as `config`. */
export interface RouteConfig extends LayoutConfig {
  /** Replaces the pattern that the file's path gives. */
  routeOverride?: string;
  methods?: "ALL" | Method[];
}

/** A route as `app.route()` takes it. */
export interface Route<State> {
  component?: RouteComponent<State>;
  config?: RouteConfig;
  handler?: RouteHandler<unknown, State>;
}

/** Settings of an {@linkcode App}. */
export interface FreshConfig {
  /** Path under which the whole app is served, such as `/app`. */
  basePath?: string;
  mode?: "development" | "production";
  /** Take protocol and host of `ctx.url` from `X-Forwarded-Proto` and `-Host`. */
  trustProxy?: boolean;
}

/** Settings of an app with every default filled in. */
export interface ResolvedFreshConfig {
  root: string;
  basePath: string;
  mode: "development" | "production";
  trustProxy: boolean;
}

/** Typed makers for route files, see {@linkcode createDefine}. */
export interface Define<State> {
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
  middleware<M extends Middleware<State> | Middleware<State>[]>(middleware: M): typeof middleware;
  layout(render: AnyComponent<PageProps<unknown, State>>): typeof render;
}

/** Functions that only carry types, so that handlers, pages and middlewares share one `State`. */
export function createDefine<State>(): Define<State> {
  return {
    handlers: (handlers) => handlers,
    page: (render) => render,
    middleware: (middleware) => middleware,
    layout: (render) => render,
  };
}
