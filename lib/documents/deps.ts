import type { Lru } from "../cache/lru.ts";
import type { Deps as DiscoveryDeps } from "../discovery/deps.ts";
import type { Entity } from "../http/respond.ts";

/** What documents for programs need. */
export interface Deps extends DiscoveryDeps {
  /** Feeds, sitemaps and other documents. */
  documents: Lru<Entity>;
}
