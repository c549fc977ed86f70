import { define } from "@/lib/define.ts";
import { getAbout } from "@/lib/discovery/about.ts";
import { keptAnswer } from "@/lib/discovery/answers.ts";
import { cached } from "@/lib/http/respond.ts";

/** How soon (ms) the answer shows an operator's switch. */
const MAX_AGE_MS = 1_000;

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { content } = await keptAnswer(deps.answers, {
      key: "about",
      also: String(deps.skills.revision),
      maxAgeMs: MAX_AGE_MS,
      body: async () => ({ ok: true, ...await getAbout(deps) }),
    });
    return cached(ctx.req, content);
  },
});
