import { define } from "@/lib/app/define.ts";
import { parseAccent } from "@/lib/catalog/accents.ts";
import { accentOfKind, nameOfKind } from "@/lib/catalog/skill_kinds.ts";
import { drawable } from "@/lib/images/card.ts";
import { answerCard } from "@/lib/images/respond.ts";
import { getSkill } from "@/lib/skills/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { slug, title, summary, kind, author } = await getSkill(deps, ctx.params.slug!);
    return answerCard(deps, ctx.req, {
      kicker: `A skill on ${deps.env.siteName}`,
      title: drawable(title) || slug,
      text: summary,
      footer: nameOfKind(kind) + (drawable(author ?? "") === "" ? "" : `, by ${author}`),
      accent: parseAccent(accentOfKind(kind))!.hex,
    });
  },
});
