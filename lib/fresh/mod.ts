/**
 * The subset of Fresh 2's public API that apps like this one use; what `fresh` exports. Fresh
 * itself is published only on JSR, see `docs/decisions/fresh.md`.
 */
export { App } from "./app.ts";
export type { Context } from "./context.ts";
export { HttpError } from "./error.ts";
export { staticFiles } from "./static_files.ts";
export { createDefine, type Middleware, page, type PageProps } from "./types.ts";
