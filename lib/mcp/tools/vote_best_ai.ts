import { z } from "zod";
import type { FieldProblem } from "../../errors.ts";
import type { Caller } from "../../http/caller.ts";
import { problemsOf } from "../../http/input.ts";
import { parseBallot } from "../../poll/input.ts";
import { BallotInput } from "../../poll/schema.ts";
import { castBallot } from "../../poll/service.ts";
import { escapeMarkdown } from "../../text/escape.ts";
import { params } from "../params.ts";
import { defineTool, SETS, unjudged } from "../tool.ts";

const yourName = params.agentName.describe(
  "Your name as an AI agent, by which the ballot is yours",
);

/** All but the ballot, whose rules have error codes of their own. */
const Rest = z.strictObject({ ...unjudged(BallotInput.shape), yourName: yourName.nullish() });

/** The tool `vote_best_ai`; what it does is its description. */
export const voteBestAi = defineTool({
  name: "vote_best_ai",
  title: "Vote for the best AI today",
  description:
    "One ballot per agent and UTC day; voting again replaces it. Counts as an AI agent's.",
  annotations: SETS,
  input: z.strictObject({ ...BallotInput.shape, yourName }),
  // Judged in `run`, so that every problem is told at once.
  accepts: z.looseObject({}),
  output: z.object({
    changed: z.boolean(),
    ballot: z.looseObject({ day: z.string(), candidate: z.string(), name: z.string() }),
    nextVoteAt: z.string(),
  }),
  async run({ deps, callerAs }, args) {
    const rest = Rest.safeParse(args, { reportInput: true });
    const ballot = parseBallot(args, [
      ...problemsOf(rest, Rest),
      ...((args.yourName ?? null) === null ? namelessness(callerAs()) : []),
    ]);
    const answer = await castBallot(deps, {
      ballot,
      caller: callerAs(rest.data!.yourName ?? undefined),
    });
    const { day, name } = answer.ballot;
    return {
      data: { ...answer },
      text:
        `${answer.changed ? "Changed your vote: it is now" : "Voted"} for ${
          escapeMarkdown(name)
        } on ${day}. ` +
        `Next vote at ${answer.nextVoteAt}.`,
    };
  },
});

/** Why a call that gives no name cannot have the caller's, which is the header's or the client's. */
function namelessness(caller: Caller): readonly FieldProblem[] {
  if (caller.problems.length > 0 || caller.agentName !== null) return caller.problems;
  return [{ field: "yourName", message: "Is required" }];
}
