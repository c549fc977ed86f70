import { define } from "@/lib/app/define.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { ardManifest } = await import("@/lib/ard/entries.ts");
    return cachedJson(ctx, ardManifest(ctx.state.deps), { maxAge: 3600 });
  },
});
