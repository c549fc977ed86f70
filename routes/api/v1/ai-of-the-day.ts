import { getAiOfTheDay } from "@/lib/ai_of_the_day/service.ts";
import { define } from "@/lib/app/define.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const view = await getAiOfTheDay(ctx.state.deps);
    return cached(ctx, entity(JSON.stringify({ ok: true, ...view })));
  },
});
