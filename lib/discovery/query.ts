import { z } from "zod";
import { categorySlug } from "../catalog/categories.ts";
import { pricingSlug } from "../catalog/pricing.ts";
import { toolSlug } from "../catalog/tools.ts";
import { PastedSearchText, SearchText, Tag } from "../fields.ts";
import { queryLimit, queryOffset } from "../http/input.ts";
import { HealthState } from "../listings/health.ts";
import type { Field } from "../listings/row.ts";
import { describeSort, sortId, SORTS } from "../read_model/sorts.ts";

const filters = {
  category: categorySlug.optional(),
  tool: toolSlug.optional(),
  pricing: pricingSlug.optional(),
  tag: Tag.optional(),
  promoted: z.enum(["1"]).optional().describe("1: promoted projects only"),
  gems: z.enum(["1"]).optional().describe("1: hidden gems only"),
  health: HealthState.optional(),
} satisfies Record<Field, z.ZodType>;

/** The query of a list of projects. */
export const ListingQuery = z.object({
  sort: sortId.optional().describe(
    describeSort(SORTS, "(votes + clicks * 0.1 + 1) / (age in hours + 2)^1.5"),
  ),
  ...filters,
  q: SearchText,
  limit: queryLimit,
  offset: queryOffset,
  explain: z.enum(["1"]).optional().describe(
    "1: add the parts of each hot score, and how well each project matches q",
  ),
});
export type ListingQuery = z.output<typeof ListingQuery>;

/** The part of `ListingQuery` that category and tool pages accept. */
export const ShelfQuery = ListingQuery.pick({ limit: true, offset: true })
  .extend({ sort: sortId.default("hot") });

/** The query of the site's browse page, whose address can also name the best match. */
export const BrowseQuery = ListingQuery.extend({
  q: PastedSearchText,
  sort: z.enum([...sortId.options, "best"]).default("best"),
});
export type BrowseQuery = z.output<typeof BrowseQuery>;
