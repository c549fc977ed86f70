import type { TestApp, TestRequest } from "./app.ts";

/** The `_meta` of a request of revision 2026-07-28. */
export const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "Test Client", version: "1.0.0" },
};

/** A response of the MCP endpoint. */
export interface RpcAnswer {
  status: number;
  headers: Headers;
  /** The first message. */
  // deno-lint-ignore no-explicit-any -- protocol messages of any shape
  body: any;
  /** Every message: one in a JSON body, any number in a stream. */
  // deno-lint-ignore no-explicit-any -- as above
  messages: any[];
}

/** Options of `rpc`. */
export interface RpcOptions extends TestRequest {
  /** Which generation to use; default: the current one. */
  revision?: "2026-07-28" | "2025-11-25";
}

/** Posts one JSON-RPC request like a client of a given revision. */
export async function rpc(
  app: TestApp,
  method: string,
  params: Record<string, unknown> = {},
  options: RpcOptions = {},
): Promise<RpcAnswer> {
  const { revision = "2026-07-28", ...init } = options;
  const isModern = revision === "2026-07-28";
  const name = params.name ?? params.uri ?? params.taskId;
  return await post(app, {
    jsonrpc: "2.0",
    id: 1,
    method,
    params: isModern ? { ...params, _meta: { ...META, ...params._meta as object } } : params,
  }, {
    ...init,
    headers: {
      "mcp-protocol-version": revision,
      ...(isModern ? { "mcp-method": method } : {}),
      ...(isModern && typeof name === "string" ? { "mcp-name": name } : {}),
      ...init.headers as Record<string, string>,
    },
  });
}

/** Posts any value to the MCP endpoint; strings and bytes as they are. */
export async function post(
  app: TestApp,
  message: unknown,
  options: TestRequest = {},
): Promise<RpcAnswer> {
  const response = await app.request("/api/mcp", {
    method: "POST",
    ...options,
    headers: {
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      ...options.headers as Record<string, string>,
    },
    body: typeof message === "string" || message instanceof Uint8Array
      ? message as BodyInit
      : JSON.stringify(message),
  });
  const text = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const sent = isStream
    ? text.split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6))
    : [text].filter((body) => body !== "");
  const messages = sent.map((data) => JSON.parse(data));
  return {
    status: response.status,
    headers: response.headers,
    body: messages[0] ?? null,
    messages,
  };
}

/** Calls a tool and returns its result. */
export async function callTool(
  app: TestApp,
  name: string,
  args: Record<string, unknown> = {},
  options: RpcOptions = {},
  // deno-lint-ignore no-explicit-any -- results of any tool
): Promise<any> {
  const answer = await rpc(app, "tools/call", { name, arguments: args }, options);
  if (answer.body.error) throw new Error(JSON.stringify(answer.body.error));
  return answer.body.result;
}
