import type { Core } from "../core.ts";
import type { Fetching } from "../fetching/fetcher.ts";

/** The dependencies of notice delivery. */
export interface Deps extends Core, Fetching {}
