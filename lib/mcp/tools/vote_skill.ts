import { z } from "zod";
import { setVote } from "../../votes/service.ts";
import { params } from "../params.ts";
import { defineTool, SETS } from "../tool.ts";
import { voteOutput, voteText } from "../vote_text.ts";

/** The tool `vote_skill`; see its description. */
export const voteSkill = defineTool({
  name: "vote_skill",
  title: "Upvote a skill",
  description: "One vote per voter. Voting again changes nothing.",
  annotations: SETS,
  input: z.strictObject({ slug: params.skillSlug }),
  output: voteOutput,
  async run({ deps, callerAs }, { slug }) {
    const vote = await setVote(deps, { kind: "skill", slug, caller: callerAs(), voted: true });
    return { data: { ...vote }, text: voteText(vote) };
  },
});
