import { define } from "@/lib/app/define.ts";
import { countCategories } from "@/lib/discovery/counts.ts";
import { keptAnswer } from "@/lib/http/answers.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { content } = await keptAnswer(deps.answers, {
      key: "categories",
      revision: deps.catalogue.revision,
      body: () => ({ ok: true, categories: countCategories(deps) }),
    });
    return cached(ctx, content);
  },
});
