import type { Deps as DocumentDeps } from "../documents/deps.ts";

/** What tools and resources of the MCP server work with. */
export type Deps = DocumentDeps;
