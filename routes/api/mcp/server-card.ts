import { define } from "@/lib/app/define.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { mcpServerCard } = await import("@/lib/mcp/discovery.ts");
    return cached(ctx, entity(JSON.stringify(mcpServerCard(ctx.state.deps)), TYPES.serverCard), {
      maxAge: 3600,
    });
  },
});
