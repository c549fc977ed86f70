/** What runs on both sides: in the server's rendering and in the bundle of the islands. */
import type { ComponentChildren } from "preact";

/** Query parameter that locks an asset to one build. */
export const ASSET_KEY = "__frsh_c";

let id = "dev";

/** Sets the build id when an app starts using a build. */
export function setBuildId(value: string): void {
  id = value;
}

/** Path of a bundled script. */
export function scriptPath(buildId: string, name: string): string {
  return `/_fresh/js/${buildId}/${name}.js`;
}

/** The URL of a static file, which may be cached for a year, since it changes with each build. */
export function asset(path: string): string {
  return `${path}?${ASSET_KEY}=${id}`;
}

/**
 * Moves its children into `<head>`, where the server's rendering puts them; a title or an element of
 * the same name replaces the app's.
 */
export function Head(_props: { children?: ComponentChildren }): ComponentChildren {
  return null;
}
