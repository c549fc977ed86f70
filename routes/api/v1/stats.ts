import { define } from "@/lib/define.ts";
import { keptAnswer } from "@/lib/discovery/answers.ts";
import { cached } from "@/lib/http/respond.ts";
import { getStats } from "@/lib/stats/service.ts";

/** How old (ms) the counters may be that an answer shows. */
const MAX_AGE_MS = 10_000;

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { content } = await keptAnswer(deps.answers, {
      key: "stats",
      maxAgeMs: MAX_AGE_MS,
      body: async () => ({ ok: true, ...await getStats(deps) }),
    });
    return cached(ctx.req, content);
  },
});
