/** The part of the framework that runs on both sides: what `fresh/runtime` exports. */
import { assetPath } from "./build_id.ts";

export { HttpError } from "./error.ts";
export { Head, type HeadProps } from "./head.ts";

/** True in the browser, false on the server. */
export const IS_BROWSER = typeof document !== "undefined";

/** A path to a static file that may be cached for a year, since it changes with each build. */
export function asset(path: string): string {
  return assetPath(path);
}

/** Applies {@linkcode asset} to the URLs of a `srcset` attribute. */
export function assetSrcSet(srcset: string): string {
  if (srcset.includes("(")) return srcset;
  return srcset.split(",").map((part) => part.replace(/^(\s*)(\S+)/, (_, s, url) => s + asset(url)))
    .join(",");
}
