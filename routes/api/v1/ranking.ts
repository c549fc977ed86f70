import { define } from "@/lib/app/define.ts";
import { rankingFacts } from "@/lib/discovery/ranking.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET(ctx) {
    const facts = rankingFacts(ctx.state.deps.urls);
    return cached(ctx, entity(JSON.stringify({ ok: true, ...facts })), { maxAge: 300 });
  },
});
