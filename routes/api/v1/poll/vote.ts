import { define } from "@/lib/app/define.ts";
import { readJson } from "@/lib/http/body.ts";
import { unknownNames } from "@/lib/http/input.ts";
import { json } from "@/lib/http/respond.ts";
import { parseBallot } from "@/lib/poll/input.ts";
import { BallotInput } from "@/lib/poll/schema.ts";
import { castBallot } from "@/lib/poll/service.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const body = await readJson(ctx.req);
    const ballot = parseBallot(body, caller.problems);
    const answer = await castBallot(deps, { ballot, caller });
    return json({ ok: true, ...answer, ignoredFields: unknownNames(BallotInput, body) });
  },
});
