import { define } from "@/lib/define.ts";
import { apiCatalog } from "@/lib/documents/well_known.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) =>
    cached(ctx.req, entity(JSON.stringify(apiCatalog(ctx.state.deps)), TYPES.linkset), {
      maxAge: 3600,
    }),
});
