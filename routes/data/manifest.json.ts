import { define } from "@/lib/app/define.ts";
import { readManifest } from "@/lib/dump/service.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const manifest = await readManifest(ctx.state.deps);
    return cached(ctx, entity(JSON.stringify(manifest)), { maxAge: 60 });
  },
});
