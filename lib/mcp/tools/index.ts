import type { Tool } from "../tool.ts";
import { getProject } from "./get_project.ts";
import { searchProjects } from "./search_projects.ts";
import { submitProject } from "./submit_project.ts";
import { updateProject } from "./update_project.ts";
import { voteProject } from "./vote_project.ts";

/** The tools of the MCP server, in the order in which `tools/list` sends them. */
export const TOOLS: readonly Tool[] = [
  searchProjects,
  getProject,
  submitProject,
  updateProject,
  voteProject,
];
