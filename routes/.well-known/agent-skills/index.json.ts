import { define } from "@/lib/define.ts";
import { keptAnswer } from "@/lib/discovery/answers.ts";
import { cached } from "@/lib/http/respond.ts";
import { agentSkillsIndex } from "@/lib/skills/agent_skills.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { content } = await keptAnswer(deps.skillAnswers, {
      key: "agent-skills",
      body: () => agentSkillsIndex(deps),
    });
    return cached(ctx.req, content);
  },
});
