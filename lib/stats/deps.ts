import type { Core } from "../core.ts";
import type { Traffic } from "./traffic.ts";

export interface Deps extends Core {
  /** Counts requests by surface and visitor class. */
  traffic: Traffic;
}
