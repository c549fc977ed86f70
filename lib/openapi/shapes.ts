import { z } from "zod";
import type { FieldProblem } from "../errors.ts";

/** The query of a submission. */
export const SubmitQuery = z.object({
  dryRun: z.enum(["1"]).optional().describe(
    "1: check every field, but store and count nothing. Success is a 200",
  ),
});

/** Fields of a submission that ask for a dry run but would be ignored. */
export function misplacedDryRun(body: object): FieldProblem[] {
  return Object.keys(body).filter((name) => /^dry[_-]?run$/i.test(name))
    .map((field) => ({ field, message: "For a dry run, send ?dryRun=1 in the URL" }));
}

/** Tells the sender what was not used. */
export const IgnoredFields = z.array(z.string()).optional()
  .describe(
    "Fields that don't exist here, such as a misspelled name (the first 50). They were ignored",
  );

/** The fields of every list page besides its items. `nextOffset` is null on the last page. */
export const pageFields = {
  total: z.int().min(0),
  limit: z.int(),
  offset: z.int(),
  nextOffset: z.int().nullable(),
};

/** Tells the reader of a list which of their query parameters were not used. */
export const IgnoredParameters = z.array(z.string()).optional()
  .describe("Query parameters that don't exist here, such as a misspelled name (the first 50)");

/** Extra fields of a page of search results. */
export const searchFields = {
  sort: z.string().optional().describe(
    "Only for searches: the order of the list. best: closest matches first. If nearest is true, the order is always best",
  ),
  nearest: z.boolean().optional()
    .describe("True: nothing matches the whole query; these come closest"),
};

/** How to do one thing: via an API request, and via an MCP tool call. */
export const callFields = {
  api: z.object({
    method: z.literal("POST"),
    url: z.url(),
    headers: z.record(z.string(), z.string()),
    body: z.record(z.string(), z.string()),
  }),
  mcp: z.object({ url: z.url(), tool: z.string(), arguments: z.record(z.string(), z.string()) }),
};
