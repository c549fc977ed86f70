import type { Core } from "../core.ts";
import type { Fetcher } from "../fetching/fetcher.ts";

/** What the delivery of notices works with. */
export interface Deps extends Core {
  /** The process that may reach strangers; null where none is set up. */
  fetcher: Fetcher | null;
}
