import { define } from "@/lib/app/define.ts";
import { getMeta } from "@/lib/discovery/meta.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: async (ctx) => cachedJson(ctx, { ok: true, ...await getMeta(ctx.state.deps) }),
});
