import { define } from "@/lib/app/define.ts";
import { apiCatalog } from "@/lib/documents/well_known.ts";
import { cachedJson, TYPES } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) => cachedJson(ctx, apiCatalog(ctx.state.deps), { type: TYPES.linkset, maxAge: 3600 }),
});
