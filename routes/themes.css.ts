import { siteLook } from "@/lib/ai_of_the_day/look.ts";
import { define } from "@/lib/app/define.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const look = await siteLook(ctx.state.deps);
    const isCurrent = ctx.url.searchParams.get("v") === look.version;
    return cached(ctx, look.stylesheet, {
      headers: {
        "Cache-Control": isCurrent ? "public, max-age=31536000, immutable" : "no-cache",
      },
    });
  },
});
