import { define } from "@/lib/app/define.ts";
import { cachedJson } from "@/lib/http/respond.ts";
import { siteIndex } from "@/lib/skills/agent_skills.ts";

export const handler = define.handlers({
  GET: (ctx) => cachedJson(ctx, siteIndex(ctx.state.deps)),
});
