import { define } from "@/lib/define.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";
import { skillCard } from "@/lib/skills/markdown.ts";
import { getSkill } from "@/lib/skills/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const skill = await getSkill(ctx.state.deps, ctx.params.slug!);
    return cached(ctx.req, entity(skillCard(skill), TYPES.markdown));
  },
});
