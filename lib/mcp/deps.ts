import type { Deps as DocumentDeps } from "../documents/deps.ts";
import type { Deps as OwnerDeps } from "../owners/deps.ts";

/** What the MCP server's tools and resources need. */
export interface Deps extends DocumentDeps, OwnerDeps {}
