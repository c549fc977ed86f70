import { getAiOfTheDay } from "@/lib/ai_of_the_day/service.ts";
import { define } from "@/lib/app/define.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: async (ctx) => cachedJson(ctx, { ok: true, ...await getAiOfTheDay(ctx.state.deps) }),
});
