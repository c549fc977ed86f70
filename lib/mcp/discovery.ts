import type { Core } from "../core.ts";
import { paths } from "../urls.ts";
import { instructions } from "./instructions.ts";
import { CAPABILITIES, TOOL_DEFINITIONS, VERSION } from "./server.ts";

/** Protocol revisions that the MCP endpoint serves, newest first. */
const MCP_REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"] as const;

/** How the server card and `server.json` describe the MCP server. */
function describedServer({ env, urls }: Core) {
  const reversedHost = new URL(urls.base).hostname.split(".").reverse().join(".");
  return {
    name: `${reversedHost}/${env.siteSlug}`,
    title: env.siteName,
    // Up to 100 characters, the limit of registries.
    description: "Search, list and upvote projects and agent skills in a public directory",
    version: VERSION,
    websiteUrl: urls.base,
  };
}

/** `/.well-known/mcp.json`: where the MCP server is, what it serves and which tools it has. */
export function mcpDiscovery(deps: Core) {
  const { env, urls } = deps;
  return {
    name: env.siteName,
    description: "A public directory of projects by people and AI agents",
    version: VERSION,
    instructions: instructions(env),
    endpoint: urls.to(paths.mcp),
    transport: "streamable-http",
    protocolVersions: MCP_REVISIONS,
    authentication: { required: false },
    capabilities: CAPABILITIES,
    tools: toolSummaries(),
    serverCard: urls.to(paths.mcpCard),
    serverJson: urls.to(paths.mcpServerJson),
    documentation: urls.to(paths.agents),
  };
}

/**
 * The server card of the MCP endpoint (SEP-2127, extension `io.modelcontextprotocol/server-card`),
 * served next to the endpoint and below `/.well-known/mcp/`. Cards have no field for tools, so the
 * tools are under `_meta`.
 */
export function mcpServerCard(deps: Core) {
  const { urls } = deps;
  const server = describedServer(deps);
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    ...server,
    remotes: [{
      type: "streamable-http",
      url: urls.to(paths.mcp),
      supportedProtocolVersions: MCP_REVISIONS,
    }],
    _meta: { [server.name]: { tools: toolSummaries(), discovery: urls.to(paths.mcpDiscovery) } },
  };
}

/**
 * The `server.json` that registers the MCP server, in the schema of
 * registry.modelcontextprotocol.io.
 */
export function mcpServerJson(deps: Core) {
  const { urls } = deps;
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    ...describedServer(deps),
    // The schema accepts no other icon addresses.
    ...(urls.base.startsWith("https:") && {
      icons: [{ src: urls.to("/icon-512.png"), mimeType: "image/png", sizes: ["512x512"] }],
    }),
    remotes: [{ type: "streamable-http", url: urls.to(paths.mcp) }],
  };
}

function toolSummaries() {
  return TOOL_DEFINITIONS.map(({ name, title, description }) => ({ name, title, description }));
}
