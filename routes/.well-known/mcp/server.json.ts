import { define } from "@/lib/app/define.ts";
import { fixedDocument } from "@/lib/documents/cache.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { mcpServerJson } = await import("@/lib/mcp/discovery.ts");
    const make = () => entity(JSON.stringify(mcpServerJson(deps)));
    return cached(ctx, fixedDocument(deps, "server.json", make), { maxAge: 3600 });
  },
});
