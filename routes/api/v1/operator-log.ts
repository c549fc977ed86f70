import { define } from "@/lib/app/define.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { pageLinks } from "@/lib/http/paging.ts";
import { cached, entity } from "@/lib/http/respond.ts";
import { ActionQuery, listActions } from "@/lib/operator/actions.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const { items, ...page } = await listActions(deps, parseQuery(ActionQuery, ctx.url));
    const content = entity(JSON.stringify({ ok: true, actions: items, ...page }));
    const link = pageLinks(deps.urls, { url: ctx.url, schema: ActionQuery, page });
    return cached(ctx, content, { link });
  },
});
