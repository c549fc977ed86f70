import { define } from "@/lib/app/define.ts";
import { listAuctions } from "@/lib/auctions/service.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const auctions = await listAuctions(ctx.state.deps);
    return cached(ctx, entity(JSON.stringify({ ok: true, ...auctions })), { maxAge: 5 });
  },
});
