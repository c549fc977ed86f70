import { define } from "@/lib/app/define.ts";
import { cached } from "@/lib/http/respond.ts";
import { agentSkillsAnswer } from "@/lib/skills/agent_skills.ts";

export const handler = define.handlers({
  GET: (ctx) => cached(ctx, agentSkillsAnswer(ctx.state.deps)),
});
