import { getAiOfTheDay } from "@/lib/ai_of_the_day/service.ts";
import { define } from "@/lib/define.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    return cached(ctx.req, entity(JSON.stringify(await getAiOfTheDay(ctx.state.deps))));
  },
});
