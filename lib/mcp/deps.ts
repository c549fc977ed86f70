import type { Deps as DiscoveryDeps } from "../discovery/deps.ts";
import type { Deps as OwnerDeps } from "../owners/deps.ts";

/** What the MCP server's tools and resources need. */
export interface Deps extends DiscoveryDeps, OwnerDeps {}
