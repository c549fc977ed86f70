import { setSkillVote } from "@/lib/skills/votes.ts";
import { paths, rowIds } from "@/lib/urls.ts";
import { voteFormHandlers } from "@/lib/votes/handlers.ts";

export const handler = voteFormHandlers({
  set: setSkillVote,
  pageOf: paths.skill,
  rowOf: rowIds.skill,
});
