import { define } from "@/lib/app/define.ts";
import { getAbout } from "@/lib/discovery/about.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: async (ctx) => cachedJson(ctx, { ok: true, ...await getAbout(ctx.state.deps) }),
});
