import { define } from "@/lib/app/define.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";
import { siteSkill } from "@/lib/skills/site_skill.ts";

export const handler = define.handlers({
  GET: (ctx) => cached(ctx, entity(siteSkill(ctx.state.deps).file, TYPES.text)),
});
