import { define } from "@/lib/define.ts";
import { rssFeed } from "@/lib/documents/feeds.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) => cached(ctx.req, rssFeed(ctx.state.deps, { kind: "projects" }), { maxAge: 60 }),
});
