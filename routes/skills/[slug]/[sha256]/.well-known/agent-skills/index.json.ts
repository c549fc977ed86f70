import { define } from "@/lib/app/define.ts";
import { cached, entity } from "@/lib/http/respond.ts";
import { agentSkillIndex } from "@/lib/skills/agent_skills.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { slug, sha256 } = ctx.params;
    const index = await agentSkillIndex(ctx.state.deps, slug!, sha256!);
    return cached(ctx, entity(JSON.stringify(index)));
  },
});
