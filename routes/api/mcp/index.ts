import { define } from "@/lib/app/define.ts";

/** All methods go to the protocol handler, which answers 405 to all but POST. */
export const handler = define.handlers(async (ctx) => {
  const { deps, caller } = ctx.state;
  // The protocol's code is a quarter of what a start would read.
  const { createMcpEndpoint } = await import("@/lib/mcp/server.ts");
  return await createMcpEndpoint(deps).answer(ctx.req, caller);
});
