import { define } from "@/lib/define.ts";
import { feedScope, jsonFeed } from "@/lib/documents/feeds.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET(ctx) {
    const scope = feedScope("category", ctx.params.slug!);
    return cached(ctx.req, jsonFeed(ctx.state.deps, scope), { maxAge: 60 });
  },
});
