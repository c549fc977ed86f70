import { define } from "@/lib/define.ts";
import { cached } from "@/lib/http/respond.ts";
import { skillAnswer } from "@/lib/skills/answers.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const slug = ctx.params.slug!;
    return cached(ctx.req, await skillAnswer(ctx.state.deps, { slug, format: "md" }));
  },
});
