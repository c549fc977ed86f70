import { z } from "zod";
import { ListingPatch } from "../../listings/schema.ts";
import { updateListing } from "../../listings/service.ts";
import { clippedRecord, ListingRecord, recordText } from "../listing_text.ts";
import { params } from "../params.ts";
import { defineTool, REPLACES } from "../tool.ts";

/** The tool `update_project`; what it does is its description. */
export const updateProject = defineTool({
  name: "update_project",
  title: "Edit a project",
  description: "Change fields of a listing with its edit key; fields not named stay.",
  annotations: REPLACES,
  input: z.strictObject({
    slug: params.projectSlug,
    editKey: z.string().max(200).describe("The key that submit_project answered: pik_..."),
    fields: ListingPatch,
  }),
  output: z.object({ ok: z.literal(true), project: ListingRecord }),
  async run({ deps, callerAs }, { slug, editKey, fields }) {
    const caller = callerAs();
    const project = clippedRecord(
      await updateListing(deps, { slug, editKey, patch: fields, caller }),
    );
    return { data: { ok: true as const, project }, text: `Changed.\n\n${recordText(project)}` };
  },
});
