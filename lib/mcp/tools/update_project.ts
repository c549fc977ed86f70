import { z } from "zod";
import { ListingPatch } from "../../listings/schema.ts";
import { parseInput } from "../../http/input.ts";
import { requireListingKey, updateListing } from "../../listings/service.ts";
import { clippedRecord, ListingRecord, recordText } from "../listing_text.ts";
import { params } from "../params.ts";
import { defineTool, REPLACES } from "../tool.ts";

const Fields = z.object({ fields: ListingPatch });

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
  // As over HTTP, a key that is missing is a wrong one, and who has none learns nothing about the fields.
  accepts: z.strictObject({
    slug: params.projectSlug,
    editKey: z.string().catch(""),
    fields: z.unknown().optional(),
  }),
  output: z.object({ ok: z.literal(true), project: ListingRecord }),
  async run({ deps, callerAs }, { slug, editKey, fields }) {
    const caller = callerAs();
    const target = { slug, editKey, caller };
    await requireListingKey(deps, target);
    const { fields: patch } = parseInput(Fields, { fields });
    const project = clippedRecord(await updateListing(deps, { ...target, patch }));
    return { data: { ok: true as const, project }, text: `Changed.\n\n${recordText(project)}` };
  },
});
