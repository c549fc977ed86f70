import { define } from "@/lib/define.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";
import { listingCard } from "@/lib/listings/markdown.ts";
import { getListing } from "@/lib/listings/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const listing = await getListing(ctx.state.deps, ctx.params.slug!);
    return cached(ctx.req, entity(listingCard(listing), TYPES.markdown));
  },
});
