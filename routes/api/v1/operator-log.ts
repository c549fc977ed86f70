import { define } from "@/lib/app/define.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { pageLinks } from "@/lib/http/paging.ts";
import { cachedJson } from "@/lib/http/respond.ts";
import { ActionQuery, listActions } from "@/lib/operator/actions.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { items, ...page } = await listActions(deps, parseQuery(ActionQuery, ctx.url));
    const link = pageLinks(deps.urls, { url: ctx.url, schema: ActionQuery, page });
    return cachedJson(ctx, { ok: true, actions: items, ...page }, { link });
  },
});
