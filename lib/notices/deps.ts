import type { Core } from "../core.ts";
import type { Fetcher } from "../fetching/fetcher.ts";

/** The dependencies of notice delivery. */
export interface Deps extends Core {
  /** The process that may contact outside servers; null if none is set up. */
  fetcher: Fetcher | null;
}
