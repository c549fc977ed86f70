import { define, type State } from "@/lib/define.ts";
import type { Context } from "fresh";
import { ignoreBody } from "@/lib/http/input.ts";
import { json } from "@/lib/http/respond.ts";
import { getListingVote, setListingVote } from "@/lib/listings/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps, caller } = ctx.state;
    return json({ ok: true, ...await getListingVote(deps, { slug: ctx.params.slug!, caller }) });
  },
  POST: (ctx) => answer(ctx, true),
  DELETE: (ctx) => answer(ctx, false),
});

async function answer(ctx: Context<State>, voted: boolean): Promise<Response> {
  const { deps, caller } = ctx.state;
  await ignoreBody(ctx.req);
  return json({
    ok: true,
    ...await setListingVote(deps, { slug: ctx.params.slug!, caller, voted }),
  });
}
