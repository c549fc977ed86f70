import { define } from "@/lib/app/define.ts";
import { rankingFacts } from "@/lib/discovery/ranking.ts";
import { fixedDocument } from "@/lib/documents/cache.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { deps } = ctx.state;
    const make = () => entity(JSON.stringify({ ok: true, ...rankingFacts(deps.urls) }));
    return cached(ctx, fixedDocument(deps, "ranking", make), { maxAge: 300 });
  },
});
