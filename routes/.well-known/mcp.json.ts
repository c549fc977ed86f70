import { define } from "@/lib/define.ts";
import { mcpDiscovery } from "@/lib/documents/well_known.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) =>
    cached(ctx.req, entity(JSON.stringify(mcpDiscovery(ctx.state.deps))), { maxAge: 3600 }),
});
