import { define } from "@/lib/app/define.ts";
import { sitemapPart } from "@/lib/documents/sitemap.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) => cached(ctx, sitemapPart(ctx.state.deps, ctx.params.part!), { maxAge: 300 }),
});
