import { define } from "@/lib/app/define.ts";
import { TrendingQuery } from "@/lib/discovery/schema.ts";
import { getFullTrending } from "@/lib/discovery/trending.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const query = parseQuery(TrendingQuery, ctx.url);
    const trending = await getFullTrending(ctx.state.deps, query);
    return cachedJson(ctx, { ok: true, ...trending });
  },
});
