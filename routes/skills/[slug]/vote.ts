import { setSkillVote } from "@/lib/skills/service.ts";
import { paths } from "@/lib/urls.ts";
import { voteFormHandlers } from "@/lib/votes/handlers.ts";

export const handler = voteFormHandlers(setSkillVote, paths.skill);
