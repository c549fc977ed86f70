import { define } from "@/lib/app/define.ts";
import { apiCatalog } from "@/lib/documents/well_known.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET(ctx) {
    const catalog = entity(JSON.stringify(apiCatalog(ctx.state.deps)), TYPES.linkset);
    return cached(ctx, catalog, { maxAge: 3600 });
  },
});
