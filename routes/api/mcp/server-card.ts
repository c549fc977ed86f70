import { define } from "@/lib/app/define.ts";
import { fixedDocument } from "@/lib/documents/cache.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { mcpServerCard } = await import("@/lib/mcp/discovery.ts");
    const make = () => entity(JSON.stringify(mcpServerCard(deps)), TYPES.serverCard);
    return cached(ctx, fixedDocument(deps, "server-card", make), { maxAge: 3600 });
  },
});
