import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Deps } from "../deps.ts";
import { DomainError } from "../errors.ts";
import type { Caller } from "../http/caller.ts";
import { readBytes } from "../http/input.ts";
import { BODY_LIMITS } from "../limits.ts";
import { callTool, clientNameOf, guarded } from "./call.ts";
import { toolDefinition } from "./definition.ts";
import { instructions } from "./instructions.ts";
import { complete } from "./completion.ts";
import { getPrompt, PROMPT_LIST } from "./prompts.ts";
import { readResource, RESOURCE_LIST, TEMPLATE_LIST } from "./resources.ts";
import { TOOLS } from "./tools/index.ts";

/** How long clients may keep what changes with a release only. */
const STATIC = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** How long clients may keep what shows listings. */
const LIVE = { ttlMs: 15_000, cacheScope: "public" } as const;

/** Open `subscriptions/listen` streams: nothing is announced on them, so few are worth holding. */
const SUBSCRIPTIONS_MAX = 100;

/** Tools as `tools/list` sends them. */
export const TOOL_DEFINITIONS = TOOLS.map(toolDefinition);

/** The MCP server of a process. */
export interface McpEndpoint {
  /** Answers one HTTP request. Throws what reading its body throws (`payload_too_large`, ...). */
  answer(req: Request, caller: Caller): Promise<Response>;
}

/**
 * Makes the MCP server. The SDK handles the protocol of both generations, on a protocol object of its own for
 * each exchange; what the server tells is made once, so that an exchange costs a tenth of a millisecond.
 */
export function createMcpEndpoint(deps: Deps): McpEndpoint {
  const callers = new WeakMap<Request, Caller>();
  const info = {
    name: deps.env.siteSlug,
    title: deps.env.siteName,
    version: "1.0.0",
    websiteUrl: deps.urls.base,
  };
  const options = {
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    instructions: instructions(deps.env),
    cacheHints: {
      "tools/list": STATIC,
      "resources/list": STATIC,
      "resources/templates/list": STATIC,
      "resources/read": LIVE,
      "prompts/list": STATIC,
      "server/discover": STATIC,
    },
  };

  function protocolFor(caller: Caller): Server {
    const server = new Server(info, options);
    server.setRequestHandler("tools/list", () => ({ tools: TOOL_DEFINITIONS }));
    server.setRequestHandler(
      "tools/call",
      ({ params }, ctx) =>
        callTool(params.name, params.arguments, { deps, caller, clientName: clientNameOf(ctx) }),
    );
    server.setRequestHandler("resources/list", () => ({ resources: RESOURCE_LIST }));
    server.setRequestHandler(
      "resources/templates/list",
      () => ({ resourceTemplates: TEMPLATE_LIST }),
    );
    server.setRequestHandler(
      "resources/read",
      ({ params }) => guarded(deps, "resources/read", () => readResource(deps, params.uri)),
    );
    server.setRequestHandler("prompts/list", () => ({ prompts: PROMPT_LIST }));
    server.setRequestHandler(
      "prompts/get",
      ({ params }) => getPrompt(deps.env, params.name, params.arguments),
    );
    server.setRequestHandler(
      "completion/complete",
      ({ params }) =>
        guarded(deps, "completion/complete", () => complete(deps, params.ref, params.argument)),
    );
    return server;
  }

  const { fetch: serve } = createMcpHandler(
    ({ requestInfo }) => protocolFor(callers.get(requestInfo!)!),
    { maxRequestBodySize: BODY_LIMITS.mcp, maxSubscriptions: SUBSCRIPTIONS_MAX },
  );

  /**
   * Answers a message of a 2025 revision as one JSON body. The handler would open a stream for each, which costs
   * four times as much and carries nothing more: no tool reports progress.
   */
  async function serveLegacy(request: Request, message: unknown, caller: Caller) {
    const server = protocolFor(caller);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  }

  return {
    async answer(req, caller) {
      refuseForeignPage(req, deps);
      const { request, parsedBody } = await readMessage(req);
      if (Array.isArray(parsedBody)) return refuseBatch();
      callers.set(request, caller);
      if (parsedBody !== undefined && await isLegacyRequest(request, parsedBody)) {
        return await serveLegacy(request, parsedBody, caller);
      }
      return await serve(request, { parsedBody });
    },
  };
}

/** Only pages of this site may speak to the server (DNS rebinding); clients that are no browsers send no Origin. */
function refuseForeignPage(req: Request, { urls }: Deps): void {
  const origin = req.headers.get("origin");
  if (origin !== null && origin !== urls.base) throw new DomainError("forbidden_origin");
}

/**
 * Reads the message once, under our own cap and deadline. What is no JSON goes on as text, so that the SDK says
 * what is wrong with it.
 */
async function readMessage(req: Request): Promise<{ request: Request; parsedBody?: unknown }> {
  if (req.method !== "POST" || !isJsonContentType(req.headers.get("content-type"))) {
    return { request: req };
  }
  const text = new TextDecoder().decode(await readBytes(req, BODY_LIMITS.mcp));
  try {
    const parsedBody = JSON.parse(text);
    return {
      request: new Request(req.url, { method: "POST", headers: req.headers }),
      parsedBody,
    };
  } catch {
    return { request: new Request(req.url, { method: "POST", headers: req.headers, body: text }) };
  }
}

/** No revision after 2025-03-26 has batches, and one request of 100 calls would escape every limit. */
function refuseBatch(): Response {
  return Response.json({
    jsonrpc: "2.0",
    error: { code: -32600, message: "Invalid Request: send one message at a time, not a batch" },
    id: null,
  }, { status: 400 });
}
