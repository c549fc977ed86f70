import { define } from "@/lib/app/define.ts";
import { cached, entity } from "@/lib/http/respond.ts";
import { getStats } from "@/lib/stats/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const stats = await getStats(ctx.state.deps);
    return cached(ctx, entity(JSON.stringify({ ok: true, ...stats })));
  },
});
