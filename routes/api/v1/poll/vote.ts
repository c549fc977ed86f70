import { define } from "@/lib/app/define.ts";
import { readJson } from "@/lib/http/body.ts";
import { json } from "@/lib/http/respond.ts";
import { parseBallot } from "@/lib/poll/input.ts";
import { castBallot } from "@/lib/poll/service.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const ballot = parseBallot(await readJson(ctx.req), caller.problems);
    return json({ ok: true, ...await castBallot(deps, { ballot, caller }) });
  },
});
