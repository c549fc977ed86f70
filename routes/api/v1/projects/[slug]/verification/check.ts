import { define } from "@/lib/app/define.ts";
import { requestEditKey } from "@/lib/entries/edit_key.ts";
import { ignoreBody } from "@/lib/http/body.ts";
import { json } from "@/lib/http/respond.ts";
import { proveOwnership } from "@/lib/owners/verification.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, caller } = ctx.state;
    await ignoreBody(ctx.req);
    const editKey = requestEditKey(ctx.req.headers);
    const project = await proveOwnership(deps, { slug: ctx.params.slug!, editKey, caller });
    return json(ctx, { ok: true, project });
  },
});
