import { define } from "@/lib/app/define.ts";
import { getAbout } from "@/lib/discovery/about.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const about = await getAbout(ctx.state.deps);
    return cached(ctx, entity(JSON.stringify({ ok: true, ...about })));
  },
});
