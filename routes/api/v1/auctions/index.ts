import { define } from "@/lib/app/define.ts";
import { listAuctions } from "@/lib/auctions/service.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: async (ctx) =>
    cachedJson(ctx, { ok: true, ...await listAuctions(ctx.state.deps) }, { maxAge: 5 }),
});
