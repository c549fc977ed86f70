import { define } from "@/lib/app/define.ts";

/** All methods go to the protocol handler, which responds with 405 to all but POST. */
export const handler = define.handlers(async (ctx) => {
  const { deps, caller } = ctx.state;
  // The protocol's code would be a quarter of what startup reads.
  const { answerMcp } = await import("@/lib/mcp/endpoint.ts");
  return await answerMcp(deps, ctx.req, caller);
});
