import { define } from "@/lib/define.ts";
import { cached, entity } from "@/lib/http/respond.ts";
import { agentSkillsIndex } from "@/lib/skills/agent_skills.ts";

export const handler = define.handlers({
  GET(ctx) {
    return cached(ctx.req, entity(JSON.stringify(agentSkillsIndex(ctx.state.deps))));
  },
});
