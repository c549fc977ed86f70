import { paths } from "../urls.ts";
import type { BySurface } from "./schema.ts";

/** Where a request arrived. */
export type Surface = Exclude<keyof BySurface, "all">;

/** Uncounted addresses: page assets, and files that machines fetch without a reader. */
const UNCOUNTED =
  /^\/(_fresh|\.well-known|api\/stripe)\/|\.(css|js|mjs|map|svg|png|ico|woff2|txt|xml|webmanifest)$/;

/**
 * Uncounted paths: vote states and the theme, requested by pages, and health, requested by
 * monitors.
 */
const UNCOUNTED_PATHS: readonly string[] = [paths.votes, paths.theme, `${paths.api}/health`];

/** The surface that a path belongs to, or null if it isn't counted. */
export function surfaceOf(pathname: string): Surface | null {
  if (pathname === paths.mcp) return "mcp";
  if (/^\/llms(-full)?(\/.*)?\.txt$/.test(pathname)) return "llms";
  if (/(^|\/)feed\.(xml|json)$/.test(pathname)) return "feed";
  if (UNCOUNTED.test(pathname) || UNCOUNTED_PATHS.includes(pathname)) return null;
  if (pathname === paths.api || pathname.startsWith(`${paths.api}/`)) return "api";
  return pathname === paths.openapi ? "api" : "pages";
}
