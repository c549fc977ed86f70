/** What runs on both sides: in the server's rendering and in the bundle of the islands. */
import type { ComponentChildren } from "preact";

/** Query parameter that locks an asset to one build. */
export const ASSET_KEY = "__frsh_c";

let id = "dev";

/** Identifies the build whose files are served; it changes when a file does. */
export function buildId(): string {
  return id;
}

/** Sets the build id; called by the build cache and by the islands' boot in the browser. */
export function setBuildId(value: string): void {
  id = value;
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

/** Where {@linkcode Head} puts its children; set while a document is rendered. */
export const HEAD_SINK: { add: ((children: ComponentChildren) => void) | null } = { add: null };

/** Moves its children into `<head>`; a title or an element of the same name replaces the app's. */
export function Head(props: { children?: ComponentChildren }): ComponentChildren {
  HEAD_SINK.add?.(props.children);
  return null;
}
