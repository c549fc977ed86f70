import { define } from "@/lib/define.ts";
import { readForm } from "@/lib/http/input.ts";
import { seeOther } from "@/lib/http/respond.ts";
import { setSkillVote } from "@/lib/skills/service.ts";
import { paths } from "@/lib/urls.ts";

/** The vote button without script: it leads to the skill, which shows the caller's vote. */
export const handler = define.handlers({
  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    const form = await readForm(ctx.req);
    await setSkillVote(deps, { slug, caller, voted: form.remove === undefined });
    return seeOther(deps.urls, `${paths.skill(slug)}#vote`);
  },
});
