import { define } from "@/lib/app/define.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { ardManifest } = await import("@/lib/ard/entries.ts");
    return cached(ctx, entity(JSON.stringify(ardManifest(ctx.state.deps))), { maxAge: 3600 });
  },
});
