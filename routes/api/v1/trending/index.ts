import { define } from "@/lib/app/define.ts";
import { TrendingQuery } from "@/lib/discovery/schema.ts";
import { trendingAnswer } from "@/lib/discovery/trending.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const query = parseQuery(TrendingQuery, ctx.url);
    const { content } = await trendingAnswer(ctx.state.deps, query);
    return cached(ctx, content);
  },
});
