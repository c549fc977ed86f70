import type { ServerOptions } from "@modelcontextprotocol/server";
import type { Caller } from "../http/caller.ts";
import { callTool, guarded } from "./call.ts";
import { complete } from "./completion.ts";
import { toolDefinition } from "./definition.ts";
import type { Deps } from "./deps.ts";
import { type McpSurface, serveMcp } from "./endpoint.ts";
import { instructions } from "./instructions.ts";
import { getPrompt, PROMPT_LIST } from "./prompts.ts";
import { readResource, RESOURCE_LIST, TEMPLATE_LIST } from "./resources.ts";
import { TOOLS } from "./tools/index.ts";

/** How long clients may cache what changes only with a release. */
const STATIC = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** How long clients may cache what shows listings. */
const LIVE = { ttlMs: 15_000, cacheScope: "public" } as const;

/** Tools as `tools/list` sends them. */
export const TOOL_DEFINITIONS = TOOLS.map(toolDefinition);

/** The version that the server reports. */
export const VERSION = "1.0.0";

/** The capabilities that the server declares. */
export const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} };

/** The capabilities, and how long clients may cache the server's responses. */
const OPTIONS: ServerOptions = {
  capabilities: CAPABILITIES,
  cacheHints: {
    "tools/list": STATIC,
    "resources/list": STATIC,
    "resources/templates/list": STATIC,
    "resources/read": LIVE,
    "prompts/list": STATIC,
    "server/discover": STATIC,
  },
};

/** Answers a request to the directory's MCP server. */
export function answerMcp(deps: Deps, req: Request, caller: Caller): Promise<Response> {
  const { env, urls } = deps;
  const surface: McpSurface = {
    info: { name: env.siteSlug, title: env.siteName, version: VERSION, websiteUrl: urls.base },
    options: { ...OPTIONS, instructions: instructions(env) },
    tools: TOOL_DEFINITIONS,
    callTool: ({ name, arguments: args }) => callTool(name, args, { deps, caller }),
    resources: RESOURCE_LIST,
    templates: TEMPLATE_LIST,
    readResource: (uri) => guarded(deps, "resources/read", () => readResource(deps, uri)),
    prompts: PROMPT_LIST,
    getPrompt: ({ name, arguments: args }) => getPrompt(env, name, args),
    complete: ({ ref, argument }) =>
      guarded(deps, "completion/complete", () => complete(deps, ref, argument)),
  };
  return serveMcp(surface, req, { origin: urls.base });
}
