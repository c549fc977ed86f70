import { define } from "@/lib/app/define.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";
import { getSkillFile } from "@/lib/skills/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const file = await getSkillFile(ctx.state.deps, ctx.params.slug!);
    return cached(ctx, entity(file, TYPES.text));
  },
});
