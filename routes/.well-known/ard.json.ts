import { define } from "@/lib/app/define.ts";
import { fixedDocument } from "@/lib/documents/cache.ts";
import { cached, entity } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { ardManifest } = await import("@/lib/ard/entries.ts");
    const make = () => entity(JSON.stringify(ardManifest(deps)));
    return cached(ctx, fixedDocument(deps, "ard.json", make), { maxAge: 3600 });
  },
});
