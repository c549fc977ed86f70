import { DAY_MS, isoTime } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { TYPES } from "../http/respond.ts";
import { instructions } from "../mcp/instructions.ts";
import { CAPABILITIES, TOOL_DEFINITIONS, VERSION } from "../mcp/server.ts";
import { paths, type Urls } from "../urls.ts";

/** Protocol revisions that the MCP endpoint serves, the newest first. */
const MCP_REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"] as const;

/** The name of the MCP server in registries: the reversed host, then the site's slug. */
function mcpName({ env, urls }: Deps): string {
  return `${new URL(urls.base).hostname.split(".").reverse().join(".")}/${env.siteSlug}`;
}

/** `/.well-known/mcp.json`: where the MCP server is, what it serves and which tools it has. */
export function mcpDiscovery(deps: Deps) {
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
    documentation: urls.to(paths.agents),
  };
}

/**
 * The server card of the MCP endpoint (SEP-2127, extension `io.modelcontextprotocol/server-card`).
 * It is answered beside the endpoint and below `/.well-known/mcp/`. Cards have no field for tools,
 * so they stand under `_meta`.
 */
export function mcpServerCard(deps: Deps) {
  const { env, urls } = deps;
  const name = mcpName(deps);
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name,
    title: env.siteName,
    description: "Search, list and upvote projects and agent skills in a public directory",
    version: VERSION,
    websiteUrl: urls.base,
    remotes: [{
      type: "streamable-http",
      url: urls.to(paths.mcp),
      supportedProtocolVersions: MCP_REVISIONS,
    }],
    _meta: { [name]: { tools: toolSummaries(), discovery: urls.to(paths.mcpDiscovery) } },
  };
}

function toolSummaries() {
  return TOOL_DEFINITIONS.map(({ name, title, description }) => ({ name, title, description }));
}

/** `/.well-known/api-catalog` (RFC 9727), a link set (RFC 9264). */
export function apiCatalog({ urls }: Deps) {
  return {
    linkset: [{
      anchor: urls.to(paths.api),
      "service-desc": [{ href: urls.to(paths.openapi), type: "application/json" }],
      "service-doc": [
        { href: urls.to(paths.apiReference), type: "text/html" },
        { href: urls.to(paths.markdown(paths.apiReference)), type: "text/markdown" },
      ],
      "service-meta": [{ href: urls.to(paths.apiMeta), type: "application/json" }],
    }, {
      anchor: urls.to(paths.mcp),
      "service-desc": [{ href: urls.to(paths.mcpCard), type: TYPES.serverCard }],
      "service-doc": [{ href: urls.to(paths.agents), type: "text/html" }],
    }],
  };
}

/** `Link` headers of the home page (RFC 8288): where programs find what a page shows to people. */
export function homeLinks(urls: Urls): string[] {
  const link = (path: string, rel: string, type: string) =>
    `<${urls.to(path)}>; rel="${rel}"; type="${type}"`;
  return [
    link(paths.apiCatalog, "api-catalog", "application/linkset+json"),
    link(paths.openapi, "service-desc", "application/json"),
    link(paths.apiReference, "service-doc", "text/html"),
    link(paths.mcpCard, "describedby", TYPES.serverCard),
    link(paths.llms, "describedby", "text/plain"),
    link(paths.feed, "alternate", "application/rss+xml"),
    link(paths.jsonFeed, "alternate", "application/feed+json"),
  ];
}

/** `/.well-known/security.txt` (RFC 9116). The file expires a year from the start of this UTC day. */
export function securityText({ env, urls, clock }: Deps): string {
  const today = clock.now() - clock.now() % DAY_MS;
  const contact = env.contactEmail ? `mailto:${env.contactEmail}` : urls.to(paths.about);
  return [
    `Contact: ${contact}`,
    `Expires: ${isoTime(today + 365 * DAY_MS)}`,
    "Preferred-Languages: en",
    `Canonical: ${urls.to(paths.securityText)}`,
    "",
  ].join("\n");
}
