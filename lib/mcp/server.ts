import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import type { Caller } from "../http/caller.ts";
import { callTool, guarded } from "./call.ts";
import { complete } from "./completion.ts";
import { toolDefinition } from "./definition.ts";
import type { Deps } from "./deps.ts";
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

/**
 * Makes the protocol object for one exchange; that takes a tenth of a millisecond, because there is
 * nothing to build. Its handlers may only throw `ProtocolError`, because the SDK would send the
 * text of any other error. It names the parameter schemas because without one, the SDK reports
 * parameters that break its own schema as an internal error (except for `tools/call`); with one, it
 * answers -32602.
 */
export function protocolOf(deps: Deps, caller: Caller): Server {
  const { env, urls } = deps;
  const server = new Server(
    { name: env.siteSlug, title: env.siteName, version: VERSION, websiteUrl: urls.base },
    { ...OPTIONS, instructions: instructions(env) },
  );
  const paged = { params: specTypeSchemas.PaginatedRequestParams };
  server.setRequestHandler("tools/list", paged, (params) => {
    return whole(params, { tools: TOOL_DEFINITIONS });
  });
  server.setRequestHandler("tools/call", ({ params: { name, arguments: args } }) => {
    return callTool(name, args, { deps, caller });
  });
  server.setRequestHandler("resources/list", paged, (params) => {
    return whole(params, { resources: RESOURCE_LIST });
  });
  server.setRequestHandler("resources/templates/list", paged, (params) => {
    return whole(params, { resourceTemplates: TEMPLATE_LIST });
  });
  const ofResource = { params: specTypeSchemas.ReadResourceRequestParams };
  server.setRequestHandler("resources/read", ofResource, ({ uri }) => {
    return guarded(deps, "resources/read", () => readResource(deps, uri));
  });
  server.setRequestHandler("prompts/list", paged, (params) => {
    return whole(params, { prompts: PROMPT_LIST });
  });
  const ofPrompt = { params: specTypeSchemas.GetPromptRequestParams };
  server.setRequestHandler("prompts/get", ofPrompt, ({ name, arguments: args }) => {
    return getPrompt(env, name, args);
  });
  const ofCompletion = { params: specTypeSchemas.CompleteRequestParams };
  server.setRequestHandler("completion/complete", ofCompletion, ({ ref, argument }) => {
    return guarded(deps, "completion/complete", () => complete(deps, ref, argument));
  });
  return server;
}

/** The only page of a list. No other page is ever offered, so a cursor is the client's mistake. */
function whole<T>(params: { cursor?: string } | undefined, list: T): T {
  if (params?.cursor === undefined) return list;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor: the list is one page");
}
