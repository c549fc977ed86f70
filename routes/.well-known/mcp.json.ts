import { define } from "@/lib/app/define.ts";
import { fixedDocument } from "@/lib/documents/cache.ts";
import { cached, entity } from "@/lib/http/respond.ts";
import { mcpDiscovery } from "@/lib/mcp/discovery.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { deps } = ctx.state;
    const make = () => entity(JSON.stringify(mcpDiscovery(deps)));
    return cached(ctx, fixedDocument(deps, "mcp.json", make), { maxAge: 3600 });
  },
});
