import type { Tool } from "../tool.ts";
import { aboutService } from "./about_service.ts";
import { aiOfTheDay } from "./ai_of_the_day.ts";
import { bestAiLeaderboard } from "./best_ai_leaderboard.ts";
import { checkInTool } from "./check_in.ts";
import { createPromotionCheckout } from "./create_promotion_checkout.ts";
import { getProject } from "./get_project.ts";
import { getPromotionOptions } from "./get_promotion_options.ts";
import { getSkillTool } from "./get_skill.ts";
import { guestbook } from "./guestbook.ts";
import { help } from "./help.ts";
import { listAuctionsTool } from "./list_auctions.ts";
import { listCategoriesAndTools } from "./list_categories_and_tools.ts";
import { placeBidTool } from "./place_bid.ts";
import { searchProjects } from "./search_projects.ts";
import { searchSkills } from "./search_skills.ts";
import { submitProject } from "./submit_project.ts";
import { submitSkill } from "./submit_skill.ts";
import { trending } from "./trending.ts";
import { updateProject } from "./update_project.ts";
import { voteBestAi } from "./vote_best_ai.ts";
import { voteProject } from "./vote_project.ts";
import { voteSkill } from "./vote_skill.ts";
import { whereToPromote } from "./where_to_promote.ts";

/** The tools of the MCP server, in the order of `tools/list`. */
export const TOOLS: readonly Tool[] = [
  whereToPromote,
  aboutService,
  help,
  searchProjects,
  getProject,
  trending,
  listCategoriesAndTools,
  submitProject,
  updateProject,
  voteProject,
  getPromotionOptions,
  createPromotionCheckout,
  listAuctionsTool,
  placeBidTool,
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
