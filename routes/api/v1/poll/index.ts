import { define } from "@/lib/define.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { json, PUBLIC_READ_HEADERS } from "@/lib/http/respond.ts";
import { PollQuery } from "@/lib/poll/openapi.ts";
import { getPoll } from "@/lib/poll/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps, caller } = ctx.state;
    const query = parseQuery(PollQuery, ctx.url);
    return json(ctx.req, await getPoll(deps, { ...query, caller }), {
      headers: PUBLIC_READ_HEADERS,
    });
  },
});
