import { voteTool } from "../vote_tool.ts";

/** The tool `vote_project`; see its description. */
export const voteProject = voteTool("listing");
