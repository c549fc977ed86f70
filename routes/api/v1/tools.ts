import { define } from "@/lib/app/define.ts";
import { countTools } from "@/lib/discovery/counts.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) => cachedJson(ctx, { ok: true, tools: countTools(ctx.state.deps) }),
});
