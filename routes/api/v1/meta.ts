import { define } from "@/lib/app/define.ts";
import { metaAnswer } from "@/lib/discovery/meta.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { content } = await metaAnswer(ctx.state.deps);
    return cached(ctx, content);
  },
});
