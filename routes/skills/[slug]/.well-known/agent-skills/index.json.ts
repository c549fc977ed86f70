import { define } from "@/lib/app/define.ts";
import { cachedJson } from "@/lib/http/respond.ts";
import { agentSkillIndex } from "@/lib/skills/agent_skills.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { slug, sha256 } = ctx.params;
    return cachedJson(ctx, await agentSkillIndex(ctx.state.deps, slug!, sha256));
  },
});
