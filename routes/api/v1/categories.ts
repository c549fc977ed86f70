import { define } from "@/lib/app/define.ts";
import { countCategories } from "@/lib/discovery/counts.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET(ctx) {
    const categories = countCategories(ctx.state.deps);
    return cached(ctx, entity(JSON.stringify({ ok: true, categories })));
  },
});
