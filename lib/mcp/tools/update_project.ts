import { z } from "zod";
import { OwnEditKey } from "../../entries/edit_key.ts";
import { DomainError, rejectProblems } from "../../errors.ts";
import { parseInput, problemsOf } from "../../http/input.ts";
import { ListingPatch } from "../../listings/schema.ts";
import { getListing, updateListing } from "../../listings/service.ts";
import { type Claim, proveOwnership, startClaim } from "../../owners/verification.ts";
import { withdrawEntry } from "../../owners/withdrawal.ts";
import { clippedRecord, ListingRecord, recordText } from "../listing_text.ts";
import { params } from "../params.ts";
import { defineTool, REPLACES, unjudged } from "../tool.ts";

/** As over HTTP, a missing key counts as wrong, and spaces around a key are ignored. */
const Target = z.object({ slug: params.projectSlug, editKey: z.string().trim().catch("") });

const Prove = z.enum(["start", "check"]);
const Change = z.object({ fields: ListingPatch, withdraw: z.literal(false).nullish() });
const Choice = z.object({ prove: Prove.nullish() });

const Input = z.strictObject({
  slug: params.projectSlug,
  editKey: z.string().max(200).optional().describe("pik_..., from submit_project or prove"),
  fields: ListingPatch.optional(),
  withdraw: z.boolean().optional().describe(
    "true: withdraw the project. Can't be combined with fields or prove",
  ),
  prove: Prove.optional().describe(
    "start: get a key and a token to publish; check: look for the published token, with the new key",
  ),
});

/**
 * The argument names, checked separately: a caller without the key learns nothing about the fields.
 */
const Names = z.strictObject(unjudged(Input.shape));

export const updateProject = defineTool({
  name: "update_project",
  title: "Edit a project",
  description:
    "Edit a project (put what changes into fields), withdraw it for good (no refunds: ask your user first), or " +
    "prove that your user owns it. Editing and withdrawing need the edit key.",
  annotations: { ...REPLACES, openWorldHint: true },
  input: Input,
  // Checked in `run`, so all problems are reported together.
  accepts: z.looseObject({}),
  output: z.object({
    project: ListingRecord.optional(),
    withdrawn: z.literal(true).optional(),
    claim: z.looseObject({}).optional(),
  }),
  async run({ deps, caller }, args) {
    const unknown = problemsOf(Names.safeParse(args), Names);
    const named = Target.safeParse(args, { reportInput: true });
    if (!named.success) throw new DomainError("invalid_input", [...problemsOf(named), ...unknown]);
    const { slug, editKey } = named.data;
    const { prove } = parseInput(Choice, args);
    const alone = args.withdraw === true ? "withdraw" : prove && "prove";
    if (alone) {
      for (const field of ["prove", "fields"].filter((name) => name !== alone)) {
        if (args[field] === undefined || args[field] === null) continue;
        unknown.unshift({ field, message: `Can't be combined with ${alone}` });
      }
      rejectProblems(unknown);
    }
    if (alone === "withdraw") {
      await withdrawEntry(deps, "listing", { slug, editKey, caller });
      const text = `Withdrawn: ${slug} is no longer listed.`;
      return { data: { withdrawn: true as const }, text };
    }
    if (prove === "start") {
      const own = parseInput(z.object({ editKey: OwnEditKey }), { editKey: editKey || null });
      const { token: _, ...claim } = await startClaim(deps, { kind: "listing", slug, ...own });
      return { data: { claim }, text: claimText(claim) };
    }
    if (prove === "check") {
      // Read first: once the proof is stored, no read may fail.
      const listing = await getListing(deps, slug);
      const verified = await proveOwnership(deps, { kind: "listing", slug, editKey, caller });
      const project = clippedRecord({ ...listing, verified });
      return {
        data: { project },
        text: `Proven. Only this key works now.\n\n${recordText(project)}`,
      };
    }
    const project = clippedRecord(
      await updateListing(deps, {
        slug,
        editKey,
        caller,
        readPatch: () => parseInput(Change, args, unknown).fields,
      }),
    );
    return { data: { project }, text: `Changed.\n\n${recordText(project)}` };
  },
});

function claimText({ editKey, places }: Omit<Claim, "token">): string {
  return [
    `Edit key: ${editKey}`,
    "Give it to your user. It doesn't work until the token is found. Publish the token at one of these places:",
    ...places.map(({ method, where, content }) => `- ${method}, at <${where}>: \`${content}\``),
    "Then call this tool with this key and prove: check.",
  ].join("\n");
}
