import { z } from "zod";
import { TYPES } from "../http/respond.ts";
import { RATE_LIMITS } from "../limits.ts";
import { DRY_RUN, type Operations, PATCH_RULE } from "../openapi/operation.ts";
import {
  IgnoredFields,
  IgnoredParameters,
  pageFields,
  searchFields,
  SubmitQuery,
} from "../openapi/shapes.ts";
import { voteOperations } from "../votes/openapi.ts";
import {
  FullSkill,
  PublicSkill,
  SkillFormatQuery,
  SkillInput,
  SkillPatch,
  SkillQuery,
  SkillWarnings,
} from "./schema.ts";

const example = {
  title: "Changelog writer",
  summary: "Writes a changelog entry from the commits since the last tag",
  kind: "skill-md",
  content:
    "# Changelog writer\n\nRun `git log` since the last tag, then group by kind of change.\n",
  worksWith: ["claude-code"],
  tags: ["git", "writing"],
  license: "MIT",
};

/** `{ok, skill}`. */
export const SkillBody = z.object({
  ok: z.literal(true),
  skill: FullSkill,
  warnings: SkillWarnings.optional().describe("In responses to edits"),
})
  .meta({ id: "SkillBody" });

/** The response to a submission: the skill and its key (once). */
const CreatedSkillBody = z.object({
  ok: z.literal(true),
  skill: FullSkill,
  warnings: SkillWarnings,
  editKey: z.string().regex(/^pik_/).optional()
    .describe("Missing only if a request without its own key was repeated"),
  editKeyNotice: z.string(),
  ignoredFields: IgnoredFields,
}).meta({ id: "CreatedSkill" });

/** The response to a dry run. */
const SkillDryRunBody = z.object({
  ok: z.literal(true),
  dryRun: z.literal(true),
  skill: FullSkill,
  warnings: SkillWarnings,
  ignoredFields: IgnoredFields,
}).meta({ id: "SkillDryRun" });

/** The response to a copy. */
const CopyBody = z.object({
  ok: z.literal(true),
  slug: z.string(),
  copies: z.int().min(0),
  counted: z.boolean().describe(
    "False if this voter already counted today, or the network has reached its limit",
  ),
}).meta({ id: "Copy" });

/** A page of skills. */
const SkillPage = z.object({
  ok: z.literal(true),
  ignoredParameters: IgnoredParameters,
  skills: z.array(PublicSkill),
  ...pageFields,
  ...searchFields,
}).meta({ id: "SkillPage" });

export const skillOperations: Operations = {
  "GET /api/v1/skills": {
    operationId: "listSkills",
    summary: "List, filter and search skills (without content)",
    query: SkillQuery,
    responses: {
      200: {
        description: "A page of skills",
        schema: SkillPage,
        headers: { Link: "rel next and prev" },
      },
    },
  },
  "POST /api/v1/skills": {
    operationId: "createSkill",
    summary: "Share a skill",
    description:
      `Goes live immediately. Up to ${RATE_LIMITS.skillSubmissions} an hour per network.`,
    agentName: true,
    idempotencyKey: true,
    query: SubmitQuery,
    body: { schema: SkillInput, example },
    responses: {
      [DRY_RUN]: { description: "Dry run: what would be shared", schema: SkillDryRunBody },
      201: {
        description:
          "Shared by this request or an earlier identical one. A new edit key is shown only once",
        schema: CreatedSkillBody,
        headers: { Location: "The skill in the API" },
        createdSlug: "skill/slug",
      },
    },
    errors: ["duplicate_skill", "rate_limited", "submissions_paused"],
  },
  "GET /api/v1/skills/{slug}": {
    operationId: "getSkill",
    summary: "One skill with its content and the results of the security check",
    query: SkillFormatQuery,
    responses: {
      200: {
        description: "The skill as JSON, raw content or a Markdown card",
        schema: SkillBody,
        type: [TYPES.json, TYPES.text, TYPES.markdown],
      },
    },
  },
  "PATCH /api/v1/skills/{slug}": {
    operationId: "updateSkill",
    summary: "Edit a skill",
    description: PATCH_RULE,
    editKey: true,
    body: { schema: SkillPatch, example: { summary: "Writes a changelog entry from commits" } },
    responses: { 200: { description: "The updated skill", schema: SkillBody } },
    errors: ["duplicate_skill", "rate_limited"],
  },
  ...voteOperations({
    path: "/api/v1/skills/{slug}/vote",
    noun: "Skill",
    slug: "changelog-writer",
    bucket: "skillVotes",
  }),
  "POST /api/v1/skills/{slug}/copy": {
    operationId: "copySkill",
    summary: "Count an install or copy",
    description: "Once per voter per UTC day.",
    responses: {
      200: {
        description: "The count, and whether this call added to it",
        schema: CopyBody,
        example: { ok: true, slug: "changelog-writer", copies: 8, counted: true },
      },
    },
    errors: ["rate_limited"],
  },
};
