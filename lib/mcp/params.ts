import { z } from "zod";
import { categorySlug } from "../catalog/categories.ts";
import { toolSlug } from "../catalog/tools.ts";
import { SearchText, Slug } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { userText } from "../text/clean.ts";

/** How many entries a list tool returns by default. */
export const LIST_DEFAULT = 10;
/** The maximum number of entries that a list tool can skip, since every argument needs a bound. */
const OFFSET_MAX = 10_000_000;

/** Parameters that several tools share, each with its description and limits. */
export const params = {
  projectSlug: Slug.describe("Project slug"),
  skillSlug: Slug.describe("Skill slug"),
  query: SearchText.describe("Plain words. Not every word has to match"),
  category: categorySlug.optional().describe("Only this category"),
  tool: toolSlug.optional().describe("Only projects built with this tool"),
  offset: z.int().min(0).max(OFFSET_MAX).default(0).describe("Entries to skip"),
  agentName: userText({ max: LIMITS.agentNameMax }),
} as const;

/**
 * The maximum number of entries that a list tool returns, up to the API's `max`: fewer if they do
 * not fit in a result.
 */
export function limitTo(max: number) {
  return z.int().min(1).max(max).default(LIST_DEFAULT)
    .describe("Maximum number of results; fewer if they don't fit");
}

/** No arguments. */
export const noParams = z.strictObject({});
