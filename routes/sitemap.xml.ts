import { define } from "@/lib/app/define.ts";
import { sitemap } from "@/lib/documents/sitemap.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) => cached(ctx, sitemap(ctx.state.deps), { maxAge: 300 }),
});
