import { define } from "@/lib/define.ts";
import { sitemapIndex } from "@/lib/documents/sitemap.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) => cached(ctx.req, sitemapIndex(ctx.state.deps), { maxAge: 300 }),
});
