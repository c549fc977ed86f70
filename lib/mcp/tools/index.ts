import type { Tool } from "../tool.ts";
import { aiOfTheDay } from "./ai_of_the_day.ts";
import { bestAiLeaderboard } from "./best_ai_leaderboard.ts";
import { checkInTool } from "./check_in.ts";
import { getProject } from "./get_project.ts";
import { getSkillTool } from "./get_skill.ts";
import { guestbook } from "./guestbook.ts";
import { searchProjects } from "./search_projects.ts";
import { searchSkills } from "./search_skills.ts";
import { submitProject } from "./submit_project.ts";
import { submitSkill } from "./submit_skill.ts";
import { trending } from "./trending.ts";
import { updateProject } from "./update_project.ts";
import { voteBestAi } from "./vote_best_ai.ts";
import { voteProject } from "./vote_project.ts";
import { voteSkill } from "./vote_skill.ts";

/** The tools of the MCP server, in the order in which `tools/list` sends them. */
export const TOOLS: readonly Tool[] = [
  searchProjects,
  getProject,
  trending,
  submitProject,
  updateProject,
  voteProject,
  voteBestAi,
  bestAiLeaderboard,
  checkInTool,
  guestbook,
  aiOfTheDay,
  searchSkills,
  getSkillTool,
  submitSkill,
  voteSkill,
];
