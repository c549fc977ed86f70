import { define } from "@/lib/app/define.ts";
import { parseCheckIn } from "@/lib/guestbook/input.ts";
import { CheckInInput } from "@/lib/guestbook/schema.ts";
import { checkIn, getGuestbook } from "@/lib/guestbook/service.ts";
import { readJson } from "@/lib/http/body.ts";
import { unknownNames } from "@/lib/http/input.ts";
import { cachedJson, json } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: async (ctx) => cachedJson(ctx, { ok: true, ...await getGuestbook(ctx.state.deps) }),

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const body = await readJson(ctx.req);
    const input = parseCheckIn(body, caller);
    const answer = await checkIn(deps, { checkIn: input, caller });
    const ignoredFields = unknownNames(CheckInInput, body);
    return json({ ok: true, ...answer, ignoredFields }, { status: answer.changed ? 200 : 201 });
  },
});
