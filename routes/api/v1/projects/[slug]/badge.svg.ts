import { define } from "@/lib/app/define.ts";
import { DomainError } from "@/lib/errors.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";
import { badgeSvg } from "@/lib/listings/badge.ts";
import { getListing } from "@/lib/listings/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const project = await getListing(deps, ctx.params.slug!).catch((error) => {
      if (error instanceof DomainError && error.status === 404) return null;
      throw error;
    });
    const svg = badgeSvg(deps.env.siteName, project?.votes ?? null);
    const badge = entity(svg, TYPES.svg);
    return project === null
      ? cached(ctx, badge, { status: 404, headers: { "Cache-Control": "no-store" } })
      : cached(ctx, badge, { maxAge: 60 });
  },
});
