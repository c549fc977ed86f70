import { define } from "@/lib/app/define.ts";
import { getMeta } from "@/lib/discovery/meta.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const meta = await getMeta(ctx.state.deps);
    return cached(ctx, entity(JSON.stringify({ ok: true, ...meta })));
  },
});
