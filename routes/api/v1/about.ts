import { define } from "@/lib/app/define.ts";
import { aboutAnswer } from "@/lib/discovery/about.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { content } = await aboutAnswer(ctx.state.deps);
    return cached(ctx, content);
  },
});
