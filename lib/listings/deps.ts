import type { Lru } from "../cache/lru.ts";
import type { Core } from "../core.ts";
import type { ListingCatalogue } from "./catalogue.ts";

export interface Deps extends Core {
  /** The live listings in memory. */
  catalogue: ListingCatalogue;
  /** Each holder's visits to any listing that this process counted in a clock hour. */
  visits: Lru<number>;
}
