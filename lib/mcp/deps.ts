import type { Deps as DocumentDeps } from "../documents/deps.ts";
import type { Deps as OwnerDeps } from "../owners/deps.ts";

/** What tools and resources of the MCP server work with. */
export interface Deps extends DocumentDeps, OwnerDeps {}
