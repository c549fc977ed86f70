import { define } from "@/lib/app/define.ts";
import { countCategories } from "@/lib/discovery/counts.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) => cachedJson(ctx, { ok: true, categories: countCategories(ctx.state.deps) }),
});
