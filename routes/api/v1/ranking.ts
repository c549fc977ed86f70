import { define } from "@/lib/app/define.ts";
import { rankingFacts } from "@/lib/discovery/ranking.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) =>
    cachedJson(ctx, { ok: true, ...rankingFacts(ctx.state.deps.urls) }, { maxAge: 300 }),
});
