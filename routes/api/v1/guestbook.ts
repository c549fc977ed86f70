import { define } from "@/lib/app/define.ts";
import { parseCheckIn } from "@/lib/guestbook/input.ts";
import { checkIn, getGuestbook } from "@/lib/guestbook/service.ts";
import { readJson } from "@/lib/http/body.ts";
import { cached, entity, json } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const view = await getGuestbook(ctx.state.deps);
    return cached(ctx, entity(JSON.stringify({ ok: true, ...view })));
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const input = parseCheckIn(await readJson(ctx.req), caller);
    const answer = await checkIn(deps, { checkIn: input, caller });
    return json({ ok: true, ...answer }, { status: answer.changed ? 200 : 201 });
  },
});
