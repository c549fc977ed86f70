import { define } from "@/lib/app/define.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { mcpDiscovery } = await import("@/lib/mcp/discovery.ts");
    return cached(ctx, entity(JSON.stringify(mcpDiscovery(ctx.state.deps))), { maxAge: 3600 });
  },
});
