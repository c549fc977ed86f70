import { z } from "zod";
import { getListing } from "../../listings/service.ts";
import { clippedRecord, ListingRecord, recordText } from "../listing_text.ts";
import { params } from "../params.ts";
import { defineTool, READS } from "../tool.ts";

/** The tool `get_project`; what it does is its description. */
export const getProject = defineTool({
  name: "get_project",
  title: "Get a project",
  description: "One project with its description, links, votes and paid placement.",
  annotations: READS,
  input: z.strictObject({ slug: params.projectSlug }),
  output: z.object({ project: ListingRecord }),
  async run({ deps }, { slug }) {
    const project = clippedRecord(await getListing(deps, slug));
    return { data: { project }, text: recordText(project) };
  },
});
