import { define } from "@/lib/app/define.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { mcpServerJson } = await import("@/lib/mcp/discovery.ts");
    return cachedJson(ctx, mcpServerJson(ctx.state.deps), { maxAge: 3600 });
  },
});
