/**
 * The part of Fresh 2's public API that this app uses; what `fresh` exports. Fresh itself is
 * published on JSR alone, see `docs/decisions/`.
 */
export { App, type ListenOptions } from "./app.ts";
export type { Island } from "./build_cache.ts";
export type { Context, Context as FreshContext } from "./context.ts";
export { HttpError } from "./error.ts";
export { cors, type CORSOptions } from "./middlewares/cors.ts";
export { csp, type CSPOptions } from "./middlewares/csp.ts";
export { csrf, type CsrfOptions } from "./middlewares/csrf.ts";
export { staticFiles } from "./middlewares/static_files.ts";
export { trailingSlashes } from "./middlewares/trailing_slashes.ts";
export {
  createDefine,
  type Define,
  type FreshConfig,
  type HandlerByMethod,
  type HandlerFn,
  type LayoutConfig,
  type Method,
  type Middleware,
  page,
  type PageProps,
  type PageResponse,
  type ResolvedFreshConfig,
  type RouteConfig,
  type RouteHandler,
} from "./types.ts";
