import { define } from "@/lib/define.ts";
import type { Deps } from "@/lib/deps.ts";
import { apiCatalog } from "@/lib/documents/well_known.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";
import { oncePer } from "@/lib/once_per.ts";

const catalogOf = oncePer((deps: Deps) => entity(JSON.stringify(apiCatalog(deps)), TYPES.linkset));

export const handler = define.handlers({
  GET: (ctx) => cached(ctx.req, catalogOf(ctx.state.deps), { maxAge: 3600 }),
});
