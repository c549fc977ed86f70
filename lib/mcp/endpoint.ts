import {
  type CallToolRequest,
  type CallToolResult,
  type CompleteRequest,
  type CompleteResult,
  createMcpHandler,
  type GetPromptRequest,
  type GetPromptResult,
  type Implementation,
  isJsonContentType,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
  Server,
  type ServerOptions,
  specTypeSchemas,
  type Tool,
} from "@modelcontextprotocol/server";
import { DomainError } from "../errors.ts";
import { readBytes } from "../http/body.ts";
import { findDuplicateKeys, jsonShapeProblem, jsonSizeProblem } from "../http/json_scan.ts";
import { isOfForeignPage } from "../http/origin.ts";
import { BODY_LIMITS } from "../limits.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

type Answer<T> = T | Promise<T>;

/**
 * What an MCP server serves: fixed lists, and functions that answer requests. The functions may
 * only throw `ProtocolError`, because the SDK would send the text of any other error.
 */
export interface McpSurface {
  info: Implementation;
  /** Capabilities, instructions and how long clients may keep answers. */
  options: ServerOptions;
  tools: Tool[];
  callTool(params: CallToolRequest["params"]): Answer<CallToolResult>;
  resources: Resource[];
  templates: ResourceTemplateType[];
  readResource(uri: string): Answer<ReadResourceResult>;
  prompts: Prompt[];
  getPrompt(params: GetPromptRequest["params"]): Answer<GetPromptResult>;
  complete(params: CompleteRequest["params"]): Answer<CompleteResult>;
}

/**
 * Answers one HTTP request to a surface, from clients of both protocol generations. Among browser
 * pages, only those of `origin` may use it. The SDK handles each exchange with a new protocol
 * object, which costs a tenth of a millisecond because there is nothing to build. Throws what
 * reading the body throws (`payload_too_large`, ...).
 */
export async function serveMcp(
  surface: McpSurface,
  req: Request,
  { origin }: { origin: string },
): Promise<Response> {
  // A page on another site might have rebound its name to our address.
  if (isOfForeignPage(req, origin)) throw new DomainError("forbidden_origin");
  const { request, parsedBody, problem } = await readMessage(req);
  if (problem) return refuse(problem);
  const { fetch: serve } = createMcpHandler(
    () => protocolOf(surface),
    { maxRequestBodySize: BODY_LIMITS.mcp },
  );
  return await serve(request, { parsedBody });
}

/**
 * Makes the protocol object for one exchange. It names the parameter schemas because without one,
 * the SDK reports parameters that break its own schema as an internal error (except for
 * `tools/call`); with one, it answers -32602.
 */
function protocolOf(surface: McpSurface): Server {
  const server = new Server(surface.info, surface.options);
  const paged = { params: specTypeSchemas.PaginatedRequestParams };
  server.setRequestHandler("tools/list", paged, (params) => {
    return whole(params, { tools: surface.tools });
  });
  server.setRequestHandler("tools/call", ({ params }) => surface.callTool(params));
  server.setRequestHandler("resources/list", paged, (params) => {
    return whole(params, { resources: surface.resources });
  });
  server.setRequestHandler("resources/templates/list", paged, (params) => {
    return whole(params, { resourceTemplates: surface.templates });
  });
  const ofResource = { params: specTypeSchemas.ReadResourceRequestParams };
  server.setRequestHandler("resources/read", ofResource, ({ uri }) => surface.readResource(uri));
  server.setRequestHandler("prompts/list", paged, (params) => {
    return whole(params, { prompts: surface.prompts });
  });
  const ofPrompt = { params: specTypeSchemas.GetPromptRequestParams };
  server.setRequestHandler("prompts/get", ofPrompt, (params) => surface.getPrompt(params));
  const ofCompletion = { params: specTypeSchemas.CompleteRequestParams };
  server.setRequestHandler("completion/complete", ofCompletion, (params) => {
    return surface.complete(params);
  });
  return server;
}

/** The only page of a list. No other page is ever offered, so a cursor is the client's mistake. */
function whole<T>(params: { cursor?: string } | undefined, list: T): T {
  if (params?.cursor === undefined) return list;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor: the list is one page");
}

/**
 * Reads the message once, within our own size and time limits. A message that isn't UTF-8 JSON is
 * passed on without a body, so the SDK answers with its parse error. `problem` says why a
 * message is refused.
 */
async function readMessage(
  req: Request,
): Promise<{ request: Request; parsedBody?: unknown; problem?: string | null }> {
  if (req.method !== "POST" || !isJsonContentType(req.headers.get("content-type"))) {
    return { request: req };
  }
  const bytes = await readBytes(req, BODY_LIMITS.mcp);
  const request = new Request(req.url, { method: "POST", headers: req.headers });
  try {
    const text = UTF8.decode(bytes);
    const size = jsonSizeProblem(text);
    if (size !== null) return { request, problem: ofMessage(size) };
    const parsedBody = JSON.parse(text);
    return { request, parsedBody, problem: problemOf(parsedBody, text) };
  } catch {
    return { request };
  }
}

/**
 * Why a message is refused, or null. It must not be a batch, have more levels or keys than any body
 * may have (the SDK reads each key several times), or repeat a key in one object (`JSON.parse`
 * would keep the last).
 */
function problemOf(message: unknown, text: string): string | null {
  if (typeof message !== "object" || message === null) return null;
  // Revisions after 2025-03-26 have no batches, and a request with 100 calls would evade every
  // limit.
  if (Array.isArray(message)) return "send one message at a time, not a batch";
  const shape = jsonShapeProblem(message);
  if (shape !== null) return ofMessage(shape);
  const repeated = findDuplicateKeys(text);
  if (repeated.length === 0) return null;
  return `given more than once: ${repeated.join(", ").slice(0, 500)}`;
}

function ofMessage(rule: string): string {
  return `the message ${rule[0]!.toLowerCase()}${rule.slice(1)}`;
}

/** Refuses a message that is not a valid request. */
function refuse(why: string): Response {
  return Response.json({
    jsonrpc: "2.0",
    error: { code: -32600, message: `Invalid Request: ${why}` },
    id: null,
  }, { status: 400 });
}
