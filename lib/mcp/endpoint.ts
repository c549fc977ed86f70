import { createMcpHandler, isJsonContentType } from "@modelcontextprotocol/server";
import { DomainError } from "../errors.ts";
import { readBytes } from "../http/body.ts";
import type { Caller } from "../http/caller.ts";
import { findDuplicateKeys, jsonShapeProblem, jsonSizeProblem } from "../http/json_scan.ts";
import { isOfForeignPage } from "../http/origin.ts";
import { BODY_LIMITS } from "../limits.ts";
import type { Deps } from "./deps.ts";
import { protocolOf } from "./server.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** What JSON keeps as it is, but `splitlines` of Python takes for the end of a line. */
const LINE_ENDS = /[\x85\u2028\u2029]/g;

/**
 * Answers one HTTP request to the MCP server, from clients of both protocol generations. Among
 * browser pages, only the site's own may use it. The SDK handles each exchange with a new protocol
 * object. Throws what reading the body throws (`payload_too_large`, ...).
 */
export async function answerMcp(deps: Deps, req: Request, caller: Caller): Promise<Response> {
  // A page on another site might have rebound its name to our address.
  if (isOfForeignPage(req, deps.urls.base)) throw new DomainError("forbidden_origin");
  const { request, parsedBody, problem } = await readMessage(req);
  if (problem) return refuse(problem);
  const { fetch: serve } = createMcpHandler(
    () => protocolOf(deps, caller),
    { maxRequestBodySize: BODY_LIMITS.mcp },
  );
  return await inWholeLines(await serve(request, { parsedBody }));
}

/**
 * Escapes line ends in the JSON of an event stream, which ends after the result. Python clients with
 * httpx-sse before 0.4.2 end the data there, and then wait forever for the result.
 */
async function inWholeLines(response: Response): Promise<Response> {
  if (response.headers.get("content-type") !== "text/event-stream") return response;
  const text = await response.text();
  const escape = (end: string) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return new Response(text.replace(LINE_ENDS, escape), response);
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
  return `given more than once: ${repeated.join(", ").slice(0, 500).toWellFormed()}`;
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
