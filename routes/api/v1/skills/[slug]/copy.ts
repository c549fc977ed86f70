import { define } from "@/lib/app/define.ts";
import { ignoreBody } from "@/lib/http/body.ts";
import { json } from "@/lib/http/respond.ts";
import { countCopy } from "@/lib/skills/copies.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, caller } = ctx.state;
    await ignoreBody(ctx.req);
    return json({
      ok: true,
      ...await countCopy(deps, { slug: ctx.params.slug!, caller }),
    });
  },
});
