import type { Middleware } from "../types.ts";

/** Redirects to URLs that always, or never, end with a slash. */
export function trailingSlashes<State>(mode: "always" | "never"): Middleware<State> {
  return function redirectSlashes(ctx) {
    const { pathname, search } = ctx.url;
    const hasSlash = pathname.endsWith("/");
    if (pathname !== "/" && hasSlash !== (mode === "always")) {
      const path = hasSlash ? pathname.slice(0, -1) : `${pathname}/`;
      return ctx.redirect(path + search);
    }
    return ctx.next();
  };
}
