import { define } from "@/lib/define.ts";
import { mcpServerCard } from "@/lib/documents/well_known.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET(ctx) {
    const card = JSON.stringify(mcpServerCard(ctx.state.deps));
    return cached(ctx.req, entity(card, TYPES.serverCard), { maxAge: 3600 });
  },
});
