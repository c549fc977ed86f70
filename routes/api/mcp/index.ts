import { define } from "@/lib/app/define.ts";
import { createMcpEndpoint } from "@/lib/mcp/server.ts";

/** All methods go to the protocol handler, which answers 405 to all but POST. */
export const handler = define.handlers((ctx) => {
  const { deps, caller } = ctx.state;
  return createMcpEndpoint(deps).answer(ctx.req, caller);
});
