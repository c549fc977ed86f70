import { define } from "@/lib/app/define.ts";
import { DomainError } from "@/lib/errors.ts";
import { cached, entity, PUBLIC_READ_HEADERS, TYPES } from "@/lib/http/respond.ts";
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
    if (project !== null) return cached(ctx, entity(svg, TYPES.svg), { maxAge: 60 });
    return new Response(svg, {
      status: 404,
      headers: { "Content-Type": TYPES.svg, "Cache-Control": "no-store", ...PUBLIC_READ_HEADERS },
    });
  },
});
