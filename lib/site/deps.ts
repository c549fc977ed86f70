import type { Deps as DiscoveryDeps } from "../discovery/deps.ts";
import type { KeptPages } from "./page_cache.ts";

export interface Deps extends DiscoveryDeps {
  /** Cached rendered pages. */
  pages: KeptPages;
}
