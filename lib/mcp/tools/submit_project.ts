import { z } from "zod";
import { EDIT_KEY_NOTICE } from "../../entries/edit_key.ts";
import { badgeSnippets } from "../../listings/badge.ts";
import { ListingInput } from "../../listings/schema.ts";
import { createListing } from "../../listings/service.ts";
import { boldMarkdown } from "../../text/escape.ts";
import { clippedRecord, ListingRecord } from "../listing_text.ts";
import { ADDS, defineTool } from "../tool.ts";

export const submitProject = defineTool({
  name: "submit_project",
  title: "List a project",
  description:
    "List a project for free, without an account. It goes live immediately unless review is on. " +
    "Returns its page and an edit key, shown only once: give it to your user.",
  annotations: ADDS,
  namesCaller: true,
  input: z.strictObject(ListingInput.shape),
  output: z.object({
    project: ListingRecord,
    editKey: z.string(),
    editKeyNotice: z.string(),
    badge: z.object({ svg: z.string(), markdown: z.string(), html: z.string() }),
    pending: z.boolean(),
  }),
  async run({ deps, caller }, input) {
    const { project, editKey, pending } = await createListing(deps, { input, caller });
    const badge = badgeSnippets(project);
    return {
      data: {
        project: clippedRecord(project),
        // A repeated request brought its own key.
        editKey: editKey!,
        editKeyNotice: EDIT_KEY_NOTICE,
        badge,
        pending,
      },
      text: [
        pending
          ? `Submitted: ${boldMarkdown(project.name)} is waiting for the operator's approval.`
          : `Listed: ${boldMarkdown(project.name)} <${project.page}>`,
        `Slug: ${project.slug}`,
        `Edit key: ${editKey}`,
        EDIT_KEY_NOTICE,
        `Badge for a README: ${badge.markdown}`,
      ].join("\n"),
    };
  },
});
