import { define } from "@/lib/app/define.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { mcpServerJson } = await import("@/lib/mcp/discovery.ts");
    return cached(ctx, entity(JSON.stringify(mcpServerJson(ctx.state.deps))), { maxAge: 3600 });
  },
});
