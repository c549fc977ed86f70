import { define } from "@/lib/app/define.ts";
import { cachedJson } from "@/lib/http/respond.ts";
import { getStats } from "@/lib/stats/service.ts";

export const handler = define.handlers({
  GET: async (ctx) => cachedJson(ctx, { ok: true, ...await getStats(ctx.state.deps) }),
});
