import { define } from "@/lib/app/define.ts";
import { drawable, drawableSite } from "@/lib/images/card.ts";
import { answerCard } from "@/lib/images/respond.ts";
import { getListing } from "@/lib/listings/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { slug, name, tagline, url, accent } = await getListing(deps, ctx.params.slug!);
    return answerCard(deps, ctx.req, {
      kicker: `Listed on ${deps.env.siteName}`,
      title: drawable(name) || slug,
      text: tagline,
      footer: drawableSite(url),
      accent,
    });
  },
});
