/** What runs on both sides: in the server's rendering and in the bundle of the islands. */
import type { ComponentChildren } from "preact";

/** Query parameter that locks an asset to one build. */
export const ASSET_KEY = "__frsh_c";

let id = "dev";

/** Sets the build id; called when an app takes its build, and by the islands' boot in the browser. */
export function setBuildId(value: string): void {
  id = value;
}

/** Path of a bundled script. */
export function scriptPath(buildId: string, name: string): string {
  return `/_fresh/js/${buildId}/${name}.js`;
}

/**
 * A path to a static file that may be cached for a year, since it changes with each build. A URL of
 * another site stays as it is.
 */
export function asset(path: string): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  const [, base, query, hash] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(path)!;
  if (new URLSearchParams(query).has(ASSET_KEY)) return path;
  return `${base}?${query ? `${query}&` : ""}${ASSET_KEY}=${id}${hash ?? ""}`;
}

/**
 * Moves its children into `<head>`, where the server's rendering puts them; a title or an element of
 * the same name replaces the app's.
 */
export function Head(_props: { children?: ComponentChildren }): ComponentChildren {
  return null;
}
