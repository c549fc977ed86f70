import { define } from "@/lib/app/define.ts";
import { fixedDocument } from "@/lib/documents/cache.ts";
import { apiCatalog } from "@/lib/documents/well_known.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { deps } = ctx.state;
    const make = () => entity(JSON.stringify(apiCatalog(deps)), TYPES.linkset);
    return cached(ctx, fixedDocument(deps, "api-catalog", make), { maxAge: 3600 });
  },
});
