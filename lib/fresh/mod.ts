/**
 * The part of Fresh 2's public API that this app uses; what `fresh` exports. Fresh itself is
 * published on JSR alone, see `docs/decisions/fresh.md`.
 */
export { App } from "./app.ts";
export type { Context } from "./context.ts";
export { HttpError } from "./error.ts";
export { staticFiles } from "./static_files.ts";
export { createDefine, type Middleware, page, type PageProps } from "./types.ts";
