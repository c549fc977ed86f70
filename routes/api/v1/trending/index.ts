import { define } from "@/lib/app/define.ts";
import { TrendingQuery } from "@/lib/discovery/schema.ts";
import { getTrending } from "@/lib/discovery/trending.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET(ctx) {
    const query = parseQuery(TrendingQuery, ctx.url);
    const trending = getTrending(ctx.state.deps, query);
    return cachedJson(ctx, { ok: true, ...trending });
  },
});
