import { define } from "@/lib/app/define.ts";
import { changesAnswer } from "@/lib/discovery/changes.ts";
import { ChangesQuery } from "@/lib/discovery/schema.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { content } = await changesAnswer(ctx.state.deps, parseQuery(ChangesQuery, ctx.url));
    return cached(ctx, content, { maxAge: 5 });
  },
});
