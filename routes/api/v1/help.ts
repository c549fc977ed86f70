import { define } from "@/lib/app/define.ts";
import { HelpQuery } from "@/lib/help/schema.ts";
import { helpAnswer } from "@/lib/help/service.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { content } = await helpAnswer(ctx.state.deps, parseQuery(HelpQuery, ctx.url));
    return cached(ctx, content, { maxAge: 60 });
  },
});
