import type { Context } from "fresh";
import { define, type State } from "@/lib/define.ts";
import { ignoreBody } from "@/lib/http/input.ts";
import { json } from "@/lib/http/respond.ts";
import { getSkillVote, setSkillVote } from "@/lib/skills/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps, caller } = ctx.state;
    return json({ ok: true, ...await getSkillVote(deps, { slug: ctx.params.slug!, caller }) });
  },
  POST: (ctx) => answer(ctx, true),
  DELETE: (ctx) => answer(ctx, false),
});

async function answer(ctx: Context<State>, voted: boolean): Promise<Response> {
  const { deps, caller } = ctx.state;
  await ignoreBody(ctx.req);
  return json({
    ok: true,
    ...await setSkillVote(deps, { slug: ctx.params.slug!, caller, voted }),
  });
}
