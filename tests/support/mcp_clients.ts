import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { TestApp } from "./app.ts";

/** A tool's result for a client. */
interface ToolResult {
  content: { type: string; text: string }[];
  // deno-lint-ignore no-explicit-any -- results of any tool
  structuredContent?: any;
  isError?: boolean;
}

/** A client of one SDK generation, connected to an in-memory app. */
interface TestClient extends AsyncDisposable {
  listTools(): Promise<{ name: string }[]>;
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
}

/** Headers of these clients' requests beyond the protocol's own. */
export const CLIENT_HEADERS = { "user-agent": "mcp-test/1.0" };

const info = { name: "Walker", version: "1.0.0" };

/** The published clients by name: v1 uses 2025-11-25, v2 uses 2026-07-28. */
export const CLIENTS: Record<"v1" | "v2", (app: TestApp, address: string) => Promise<TestClient>> =
  {
    async v1(app, address) {
      const client = new ClientV1(info);
      const url = new URL("/api/mcp", app.deps.urls.base);
      await client.connect(new TransportV1(url, { fetch: fetchFrom(app, address) }) as never);
      return {
        listTools: async () => (await client.listTools()).tools,
        call: async (name, args) => await client.callTool({ name, arguments: args }) as ToolResult,
        [Symbol.asyncDispose]: () => client.close(),
      };
    },
    async v2(app, address) {
      const client = new ClientV2(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
      const url = new URL("/api/mcp", app.deps.urls.base);
      await client.connect(new TransportV2(url, { fetch: fetchFrom(app, address) }));
      return {
        listTools: async () => (await client.listTools()).tools,
        call: async (name, args) => await client.callTool({ name, arguments: args }) as ToolResult,
        [Symbol.asyncDispose]: () => client.close(),
      };
    },
  };

function fetchFrom(app: TestApp, hostname: string): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    for (const [name, value] of Object.entries(CLIENT_HEADERS)) request.headers.set(name, value);
    return await app.handler(request, {
      remoteAddr: { transport: "tcp", hostname, port: 40_000 },
      completed: Promise.resolve(),
    });
  };
}
