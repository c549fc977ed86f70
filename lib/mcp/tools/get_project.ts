import { z } from "zod";
import { getListing } from "../../listings/service.ts";
import { readNoticeSettings } from "../../notices/service.ts";
import { readPromotionReport } from "../../promotions/report.ts";
import { jsonTokens } from "../budget.ts";
import { clippedRecord, ListingRecord, recordText } from "../listing_text.ts";
import { ownerText, PROMOTIONS_TOLD } from "../owner_text.ts";
import { params } from "../params.ts";
import { defineTool, READS } from "../tool.ts";

/** The tool `get_project`; see its description. */
export const getProject = defineTool({
  name: "get_project",
  title: "Get a project",
  description: "One project with its description, links, votes and paid placement.",
  annotations: READS,
  input: z.strictObject({
    slug: params.projectSlug,
    editKey: z.string().trim().max(200).optional()
      .describe("The project's edit key, to also get its notices and promotion results"),
  }),
  output: z.object({ project: ListingRecord, owner: z.looseObject({}).optional() }),
  async run({ deps, caller }, { slug, editKey }) {
    const listing = await getListing(deps, slug);
    if (editKey === undefined) {
      const project = clippedRecord(listing);
      return { data: { project }, text: recordText(project) };
    }
    const own = { slug, editKey, caller };
    const notices = await readNoticeSettings(deps, own);
    const { days: _, promotions, ...report } = await readPromotionReport(deps, own);
    const owner = { notices, ...report, promotions: promotions.slice(-PROMOTIONS_TOLD) };
    const told = ownerText(owner);
    const project = clippedRecord(listing, jsonTokens(owner) + jsonTokens(told));
    return { data: { project, owner }, text: `${recordText(project).trimEnd()}\n\n${told}` };
  },
});
