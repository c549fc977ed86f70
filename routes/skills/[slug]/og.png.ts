import { define } from "@/lib/app/define.ts";
import { isDrawable } from "@/lib/images/card.ts";
import { answerCard } from "@/lib/images/respond.ts";
import { getSkill } from "@/lib/skills/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { slug, title, summary, kind, author } = await getSkill(deps, ctx.params.slug!);
    return answerCard(deps, ctx.req, {
      kicker: `A skill on ${deps.env.siteName}`,
      title: isDrawable(title) ? title : slug,
      text: isDrawable(summary) ? summary : "",
      footer: author !== null && isDrawable(author) ? `${kind}, by ${author}` : kind,
    });
  },
});
