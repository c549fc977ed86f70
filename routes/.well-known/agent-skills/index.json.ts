import { define } from "@/lib/app/define.ts";
import { cached, entity } from "@/lib/http/respond.ts";
import { siteIndex } from "@/lib/skills/agent_skills.ts";

export const handler = define.handlers({
  GET: (ctx) => cached(ctx, entity(JSON.stringify(siteIndex(ctx.state.deps)))),
});
