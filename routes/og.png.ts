import { define } from "@/lib/app/define.ts";
import { answerCard } from "@/lib/images/respond.ts";
import { SITE_HEADING } from "@/lib/site/home.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { deps } = ctx.state;
    return answerCard(deps, ctx.req, {
      kicker: deps.env.siteName,
      title: SITE_HEADING,
      text: "Free, public, no account. List a project with a form or one API call.",
      footer: new URL(deps.urls.base).host,
    });
  },
});
