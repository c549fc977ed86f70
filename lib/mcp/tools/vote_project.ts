import { z } from "zod";
import { setVote } from "../../votes/service.ts";
import { params } from "../params.ts";
import { defineTool, SETS } from "../tool.ts";
import { voteOutput, voteText } from "../vote_text.ts";

/** The tool `vote_project`; see its description. */
export const voteProject = defineTool({
  name: "vote_project",
  title: "Upvote a project",
  description: "One vote per voter. Voting again changes nothing.",
  annotations: SETS,
  input: z.strictObject({ slug: params.projectSlug }),
  output: voteOutput,
  async run({ deps, callerAs }, { slug }) {
    const vote = await setVote(deps, { kind: "listing", slug, caller: callerAs(), voted: true });
    return { data: { ...vote }, text: voteText(vote) };
  },
});
