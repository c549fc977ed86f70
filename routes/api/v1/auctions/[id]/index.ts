import { define } from "@/lib/app/define.ts";
import { getAuction } from "@/lib/auctions/service.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const auction = await getAuction(ctx.state.deps, ctx.params.id!);
    return cached(ctx, entity(JSON.stringify({ ok: true, ...auction })), { maxAge: 5 });
  },
});
