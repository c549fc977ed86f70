import { define } from "@/lib/app/define.ts";
import { cachedJson, TYPES } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { mcpServerCard } = await import("@/lib/mcp/discovery.ts");
    const card = mcpServerCard(ctx.state.deps);
    return cachedJson(ctx, card, { type: TYPES.serverCard, maxAge: 3600 });
  },
});
