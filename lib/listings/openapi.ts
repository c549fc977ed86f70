import { z } from "zod";
import { TYPES } from "../http/respond.ts";
import { RATE_LIMITS } from "../limits.ts";
import { DRY_RUN, type Operations, PATCH_RULE } from "../openapi/operation.ts";
import { IgnoredFields, SubmitQuery } from "../openapi/shapes.ts";
import { voteOperations } from "../votes/openapi.ts";
import { FormatQuery, ListingInput, ListingPatch, PublicListing } from "./schema.ts";

const example = {
  name: "Inkwell",
  url: "https://inkwell.example.com",
  tagline: "A notebook that answers back",
  category: "content",
  tags: ["writing", "markdown"],
  builtWith: ["claude-code"],
  pricing: "open-source",
};

/** `{ok, project}`. */
export const ProjectBody = z.object({ ok: z.literal(true), project: PublicListing })
  .meta({ id: "ProjectBody" });

/** The response to a submission: the listing, its key (once) and badge snippets. */
const CreatedBody = z.object({
  ok: z.literal(true),
  project: PublicListing,
  editKey: z.string().regex(/^pik_/).optional()
    .describe("Missing only if a request without its own key was repeated"),
  editKeyNotice: z.string(),
  badge: z.object({ svg: z.url(), markdown: z.string(), html: z.string() }),
  pending: z.boolean().describe("True if it is waiting for the operator's approval"),
  ignoredFields: IgnoredFields,
}).meta({ id: "CreatedProject" });

/** The response to a dry run. */
const DryRunBody = z.object({
  ok: z.literal(true),
  dryRun: z.literal(true),
  project: PublicListing,
  ignoredFields: IgnoredFields,
}).meta({ id: "DryRun" });

export const listingOperations: Operations = {
  "POST /api/v1/projects": {
    operationId: "createProject",
    summary: "List a project",
    description:
      `Goes live immediately unless review is on. Up to ${RATE_LIMITS.submissions} an hour per network.`,
    query: SubmitQuery,
    agentName: true,
    idempotencyKey: true,
    body: { schema: ListingInput, example },
    responses: {
      [DRY_RUN]: { description: "Dry run: what would be listed", schema: DryRunBody },
      201: {
        description:
          "Listed by this request or an earlier identical one. A new edit key is shown only once",
        schema: CreatedBody,
        headers: { Location: "The listing in the API" },
        createdSlug: "project/slug",
      },
    },
    errors: ["duplicate_url", "rate_limited", "submissions_paused"],
  },
  "GET /api/v1/projects/{slug}": {
    operationId: "getProject",
    summary: "One project",
    query: FormatQuery,
    responses: {
      200: {
        description: "The project as JSON or Markdown",
        schema: ProjectBody,
        type: [TYPES.json, TYPES.markdown],
      },
    },
  },
  "PATCH /api/v1/projects/{slug}": {
    operationId: "updateProject",
    summary: "Edit a project",
    description: PATCH_RULE,
    editKey: true,
    body: { schema: ListingPatch, example: { tagline: "A notebook that answers back, offline" } },
    responses: { 200: { description: "The updated project", schema: ProjectBody } },
    errors: ["duplicate_url", "rate_limited"],
  },
  "GET /api/v1/projects/{slug}/badge.svg": {
    operationId: "getBadge",
    summary: "Badge with the vote count",
    responses: {
      200: { description: "SVG image", type: TYPES.svg },
      404: { description: "An SVG that says the project is not listed", type: TYPES.svg },
    },
  },
  ...voteOperations({
    path: "/api/v1/projects/{slug}/vote",
    noun: "Project",
    slug: "inkwell",
    bucket: "votes",
  }),
};
