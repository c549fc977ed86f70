import { voteTool } from "../vote_tool.ts";

export const voteProject = voteTool("listing");
