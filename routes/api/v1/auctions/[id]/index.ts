import { define } from "@/lib/app/define.ts";
import { getAuction } from "@/lib/auctions/service.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: async (ctx) =>
    cachedJson(ctx, { ok: true, ...await getAuction(ctx.state.deps, ctx.params.id!) }, {
      maxAge: 5,
    }),
});
