import { define } from "@/lib/app/define.ts";
import { PUBLIC_READ_HEADERS } from "@/lib/http/respond.ts";
import { readLogo } from "@/lib/listings/logo.ts";
import { getListing } from "@/lib/listings/service.ts";

/**
 * The copy of a listing's logo. While there is none, an empty response, which browsers show as
 * nothing.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { slug } = await getListing(deps, ctx.params.slug!);
    const logo = await readLogo(deps.store, slug);
    const isAsked = logo !== null && ctx.url.searchParams.get("v") === logo.version;
    const headers = {
      ...PUBLIC_READ_HEADERS,
      // A week, so that logos deleted here don't stay in caches for long.
      "Cache-Control": isAsked ? "public, max-age=604800, immutable" : "public, max-age=300",
    };
    if (logo === null) return new Response(null, { status: 204, headers });
    return new Response(logo.png, { headers: { ...headers, "Content-Type": "image/png" } });
  },
});
