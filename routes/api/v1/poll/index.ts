import { define } from "@/lib/app/define.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { isOfForeignPage } from "@/lib/http/origin.ts";
import { json, PUBLIC_READ_HEADERS } from "@/lib/http/respond.ts";
import { PollQuery } from "@/lib/poll/schema.ts";
import { getPoll } from "@/lib/poll/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps, caller } = ctx.state;
    const query = parseQuery(PollQuery, ctx.url);
    const poll = await getPoll(deps, { ...query, caller });
    // Another site's page may show the poll, but not read how its visitor voted.
    if (isOfForeignPage(ctx.req, deps.urls.base)) poll.myVote = null;
    return json({ ok: true, ...poll }, { headers: PUBLIC_READ_HEADERS });
  },
});
