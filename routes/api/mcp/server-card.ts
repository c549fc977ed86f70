import { define } from "@/lib/app/define.ts";
import { fixedDocument } from "@/lib/documents/cache.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";
import { mcpServerCard } from "@/lib/mcp/discovery.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { deps } = ctx.state;
    const make = () => entity(JSON.stringify(mcpServerCard(deps)), TYPES.serverCard);
    return cached(ctx, fixedDocument(deps, "server-card", make), { maxAge: 3600 });
  },
});
