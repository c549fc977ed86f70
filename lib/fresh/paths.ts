/** The few path functions that the build needs, for POSIX and Windows alike. */
export { dirname, isAbsolute, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The path of a `file:` URL. */
export const fromFileUrl = (url: string): string => fileURLToPath(url);

/** The `file:` URL of a path. */
export const toFileUrl = (path: string): string => pathToFileURL(path).href;

/** Media types of the files that a site's `static/` holds. */
const MEDIA_TYPES: Record<string, string> = {
  css: "text/css; charset=UTF-8",
  gif: "image/gif",
  html: "text/html; charset=UTF-8",
  ico: "image/vnd.microsoft.icon",
  jpg: "image/jpeg",
  js: "text/javascript; charset=UTF-8",
  json: "application/json; charset=UTF-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=UTF-8",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff2: "font/woff2",
  xml: "application/xml; charset=UTF-8",
};

/** The media type of a file by its extension. */
export function mediaType(path: string): string {
  return MEDIA_TYPES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ??
    "application/octet-stream";
}
