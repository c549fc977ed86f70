import { define } from "@/lib/define.ts";
import type { Deps } from "@/lib/deps.ts";
import type { Caller } from "@/lib/http/caller.ts";
import type { McpEndpoint } from "@/lib/mcp/endpoint.ts";
import { createMcpEndpoint } from "@/lib/mcp/server.ts";

const endpoints = new WeakMap<Deps, McpEndpoint<Caller>>();

/** Every method goes to the protocol handler, which answers 405 to all but POST. */
export const handler = define.handlers((ctx) => {
  const { deps, caller } = ctx.state;
  let endpoint = endpoints.get(deps);
  if (endpoint === undefined) endpoints.set(deps, endpoint = createMcpEndpoint(deps));
  return endpoint.answer(ctx.req, caller);
});
