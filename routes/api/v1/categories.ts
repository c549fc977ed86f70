import { define } from "@/lib/define.ts";
import { keptAnswer } from "@/lib/discovery/answer_cache.ts";
import { countCategories } from "@/lib/discovery/counts.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { content } = await keptAnswer(deps.answers, {
      key: "categories",
      body: () => ({ ok: true, categories: countCategories(deps) }),
    });
    return cached(ctx.req, content);
  },
});
