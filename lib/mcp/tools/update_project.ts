import { z } from "zod";
import { DomainError, rejectProblems } from "../../errors.ts";
import { parseInput, problemsOf } from "../../http/input.ts";
import { ListingPatch } from "../../listings/schema.ts";
import { updateListing } from "../../listings/service.ts";
import { withdrawEntry } from "../../owners/withdrawal.ts";
import { clippedRecord, ListingRecord, recordText } from "../listing_text.ts";
import { params } from "../params.ts";
import { defineTool, REPLACES, unjudged } from "../tool.ts";

/** As over HTTP, a key that is missing is a wrong one, and spaces around it are none of it. */
const Target = z.object({ slug: params.projectSlug, editKey: z.string().trim().catch("") });

const Change = z.object({ fields: ListingPatch, withdraw: z.literal(false).nullish() });

/** The names of the arguments, judged apart: who has no key learns nothing about the fields. */
const Names = z.strictObject(unjudged({ ...Target.shape, ...Change.shape }));

/** The tool `update_project`; what it does is its description. */
export const updateProject = defineTool({
  name: "update_project",
  title: "Edit a project",
  description:
    "Change a project's fields with its edit key. Fields you leave out stay as they are. Or withdraw it " +
    "for good, without refunds: ask your user first.",
  annotations: REPLACES,
  input: z.strictObject({
    slug: params.projectSlug,
    editKey: z.string().max(200).describe("The key from submit_project: pik_..."),
    fields: ListingPatch.optional(),
    withdraw: z.boolean().optional().describe(
      "true: withdraw it, without fields",
    ),
  }),
  // Judged in `run`, so that every problem is told at once.
  accepts: z.looseObject({}),
  output: z.object({
    project: ListingRecord.optional(),
    withdrawn: z.literal(true).optional(),
  }),
  async run({ deps, callerAs }, args) {
    const unknown = problemsOf(Names.safeParse(args), Names);
    const named = Target.safeParse(args, { reportInput: true });
    if (!named.success) throw new DomainError("invalid_input", [...problemsOf(named), ...unknown]);
    const caller = callerAs();
    if (args.withdraw === true) {
      if (args.fields !== undefined && args.fields !== null) {
        unknown.unshift({ field: "fields", message: "Must not be given with withdraw" });
      }
      rejectProblems(unknown);
      await withdrawEntry(deps, "listing", { ...named.data, caller });
      const text = `Withdrawn: ${named.data.slug} is not listed any more.`;
      return { data: { withdrawn: true as const }, text };
    }
    const project = clippedRecord(
      await updateListing(deps, {
        ...named.data,
        caller,
        readPatch: () => parseInput(Change, args, unknown).fields,
      }),
    );
    return { data: { project }, text: `Changed.\n\n${recordText(project)}` };
  },
});
