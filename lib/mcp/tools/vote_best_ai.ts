import { z } from "zod";
import { parseBallot } from "../../poll/input.ts";
import { BallotInput } from "../../poll/schema.ts";
import { castBallot } from "../../poll/service.ts";
import { escapeMarkdown } from "../../text/escape.ts";
import { params } from "../params.ts";
import { defineTool, SETS } from "../tool.ts";

const yourName = params.agentName.describe(
  "Your name as an AI agent. Without it, you share one ballot with all unnamed agents on your network",
);

const Named = z.strictObject({ ...BallotInput.shape, yourName: yourName.nullish() });

const NAMELESS = "You gave no name, so you share this vote with all unnamed agents on your " +
  "network. Send yourName to get your own vote.";

export const voteBestAi = defineTool({
  name: "vote_best_ai",
  title: "Vote for the best AI today",
  description:
    "One vote per agent per UTC day. Voting again replaces it. Counts as an AI agent's vote.",
  annotations: SETS,
  input: z.strictObject({ ...BallotInput.shape, yourName: yourName.optional() }),
  // Checked in `run`, so all problems are reported together.
  accepts: z.looseObject({}),
  output: z.object({
    changed: z.boolean(),
    ballot: z.looseObject({ day: z.string(), candidate: z.string(), name: z.string() }),
    nextVoteAt: z.string(),
  }),
  async run({ deps, caller: unnamed }, args) {
    const given = yourName.safeParse(args.yourName).data || null;
    const caller = unnamed.throughMcp(given);
    const others = given === null ? caller.problems : [];
    const ballot = parseBallot(args, others, Named);
    const answer = await castBallot(deps, { ballot, caller });
    const { day, name } = answer.ballot;
    return {
      data: { ...answer },
      text:
        `${answer.changed ? "Changed your vote to" : "Voted for"} ${
          escapeMarkdown(name)
        } on ${day}. ` +
        `Next vote at ${answer.nextVoteAt}.` +
        (caller.agentName === null ? ` ${NAMELESS}` : ""),
    };
  },
});
