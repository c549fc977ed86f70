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

/** A path of this site with the build id as a parameter; anything else as it came. */
export function assetPath(path: string): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  const [, base, query, hash] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(path)!;
  if (new URLSearchParams(query).has(ASSET_KEY)) return path;
  return `${base}?${query ? `${query}&` : ""}${ASSET_KEY}=${id}${hash ?? ""}`;
}
