import { voteTool } from "../vote_tool.ts";

/** The tool `vote_skill`; see its description. */
export const voteSkill = voteTool("skill");
