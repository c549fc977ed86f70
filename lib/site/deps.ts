import type { Deps as DiscoveryDeps } from "../discovery/deps.ts";
import type { KeptPages } from "./page_cache.ts";

/** What pages are made from. */
export interface Deps extends DiscoveryDeps {
  /** Rendered pages. */
  pages: KeptPages;
}
