import { voteTool } from "../vote_tool.ts";

export const voteSkill = voteTool("skill");
