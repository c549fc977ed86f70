import { z } from "zod";
import { pricingSlug } from "../../catalog/pricing.ts";
import { LIMITS } from "../../limits.ts";
import { pageFields, searchFields } from "../../openapi/shapes.ts";
import { describeSort, sortId, SORTS } from "../../read_model/sorts.ts";
import { briefLine, fitting, ListingBrief, toBrief } from "../listing_text.ts";
import { searchAnswer } from "../page_text.ts";
import { limitTo, params } from "../params.ts";
import { defineTool, READS } from "../tool.ts";

export const searchProjects = defineTool({
  name: "search_projects",
  title: "Search projects",
  description: "List or search projects. Get details with get_project.",
  annotations: READS,
  input: z.strictObject({
    query: params.query,
    category: params.category,
    tool: params.tool,
    pricing: pricingSlug.optional().describe("Only this pricing"),
    health: z.enum(["alive"]).optional().describe("Only projects whose link works"),
    sort: sortId.optional()
      .describe(describeSort(SORTS, "votes and clicks, weighted by age")),
    limit: limitTo(LIMITS.pageSizeMax),
    offset: params.offset,
  }),
  output: z.object({
    projects: z.array(ListingBrief),
    ...pageFields,
    ...searchFields,
  }),
  async run({ deps }, { query, ...filters }) {
    const found = await deps.catalogue.page({ ...filters, q: query });
    const shown = fitting(found.items);
    const { page, text } = await searchAnswer(deps, "project", {
      found,
      lines: shown.map(briefLine),
      details: "Details: get_project.",
      query,
      filters: [filters.category, filters.tool, filters.pricing, filters.health],
    });
    return { data: { projects: shown.map(toBrief), ...page }, text };
  },
});
