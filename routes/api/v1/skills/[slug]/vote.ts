import { getSkillVote, setSkillVote } from "@/lib/skills/votes.ts";
import { voteHandlers } from "@/lib/votes/handlers.ts";

export const handler = voteHandlers({ get: getSkillVote, set: setSkillVote });
