import { define } from "@/lib/app/define.ts";
import { HelpQuery } from "@/lib/help/schema.ts";
import { getHelp } from "@/lib/help/service.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const help = await getHelp(ctx.state.deps, parseQuery(HelpQuery, ctx.url));
    return cachedJson(ctx, { ok: true, ...help }, { maxAge: 60 });
  },
});
