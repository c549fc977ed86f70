import deprecatedIds from "spdx-license-ids/deprecated.json" with { type: "json" };
import licenseIds from "spdx-license-ids/index.json" with { type: "json" };
import { z } from "zod";
import { skillKind } from "../catalog/skill_kinds.ts";
import { toolSlug } from "../catalog/tools.ts";
import { OwnEditKey } from "../entries/edit_key.ts";
import type { StoredEntry } from "../entries/entries.ts";
import { PublicVerified } from "../entries/verified.ts";
import type { FieldProblem } from "../errors.ts";
import {
  list,
  optional,
  PastedSearchText,
  patchOf,
  SearchText,
  SignedBy,
  Tag,
  WrittenTag,
} from "../fields.ts";
import { queryLimit, queryOffset } from "../http/input.ts";
import { LIMITS } from "../limits.ts";
import { describeSort, SKILL_SORTS, skillSortId } from "../read_model/sorts.ts";
import { userText } from "../text/clean.ts";
import { formatCount, lengthOf, plural } from "../text/count.ts";
import { webUrl } from "../text/web_url.ts";
import { SkillFacts } from "./facts.ts";
import { nameProblems } from "./file_name.ts";

/** Deprecated SPDX identifiers that the package leaves out because it reads + as an operator. */
const OR_LATER = ["GPL-1.0+", "GPL-2.0+", "GPL-3.0+", "LGPL-2.0+", "LGPL-2.1+", "LGPL-3.0+"];
const LICENSES = new Map(
  [...OR_LATER, ...deprecatedIds, ...licenseIds].map((id) => [id.toLowerCase(), id]),
);

/** One SPDX license identifier in any case, changed to the list's spelling. */
const License = z.string().max(LIMITS.licenseMax).transform((value, context) => {
  const id = LICENSES.get(value.trim().toLowerCase());
  if (id !== undefined) return id;
  context.addIssue({
    code: "custom",
    message: "Must be one SPDX license identifier, such as MIT or CC-BY-4.0",
  });
  return z.NEVER;
}).meta({
  override: {
    type: "string",
    pattern: "^[A-Za-z0-9][A-Za-z0-9.+-]*$",
    maxLength: LIMITS.licenseMax,
    examples: ["MIT"],
  },
});

const { skillContentMin, skillContentMax } = LIMITS;

/** The text of a skill, stored byte for byte. */
const Content = z.string()
  .refine(
    (content) => lengthOf(content) >= skillContentMin,
    `Must have at least ${plural(skillContentMin, "character")}`,
  )
  .refine(
    (content) => lengthOf(content) <= skillContentMax,
    `Must have at most ${plural(skillContentMax, "character")}`,
  )
  .refine((content) => content.isWellFormed(), "Must not contain an invalid character")
  .refine((content) => comparedForm(content) !== "", "Must not be blank")
  .meta({ minLength: skillContentMin, maxLength: skillContentMax });

/** Who wrote the content; by default its submitter. */
const Origin = z.enum(["original", "third-party"]);

const submitFields = {
  title: userText({ max: LIMITS.skillTitleMax, min: 1 }).describe("Title"),
  summary: userText({ max: LIMITS.skillSummaryMax, min: 1 })
    .describe("One sentence: what it does and when to use it"),
  kind: skillKind.describe("Kind of content"),
  content: Content.describe(
    `The instructions, kept byte for byte: ${LIMITS.skillContentMin} to ` +
      `${formatCount(LIMITS.skillContentMax)} characters`,
  ),
  category: optional(WrittenTag).describe("Short category name"),
  worksWith: list(toolSlug, toolSlug.options.length).describe("Tools it works with"),
  tags: list(WrittenTag, LIMITS.tagsMax).describe(
    `Up to ${LIMITS.tagsMax} tags`,
  ),
  installHint: optional(userText({ max: LIMITS.installHintMax, lines: true }))
    .describe("Extra installation steps, if any"),
  author: optional(userText({ max: LIMITS.authorMax })).describe("Who wrote it"),
  license: optional(License).describe("SPDX identifier. Required if origin is third-party"),
  origin: Origin.nullish().transform((origin) => origin ?? "original")
    .describe("third-party if someone else wrote it"),
  sourceUrl: optional(webUrl())
    .describe("Where it comes from. Required if origin is third-party"),
};

const SOURCED = ["license", "sourceUrl"] as const;
const SOURCED_RULE = "Required if someone else wrote it (origin third-party)";

/** The required fields that third-party content lacks, as problems. */
export function originProblems(skill: Record<string, unknown>): FieldProblem[] {
  return SOURCED.filter((field) => lacksSource(skill, field))
    .map((field) => ({ field, message: SOURCED_RULE, isMissing: true }));
}

function lacksSource(skill: Record<string, unknown>, field: (typeof SOURCED)[number]): boolean {
  return skill.origin === "third-party" && !skill[field];
}

/** How the rule is reported for a field. `when` checks it even if other fields have problems. */
function sourceRule(field: (typeof SOURCED)[number]) {
  return { path: [field], message: SOURCED_RULE, params: { isMissing: true }, when: () => true };
}

function misnamed(skill: unknown): FieldProblem[] {
  const { kind, content } = skill as Partial<SkillInput>;
  return kind && typeof content === "string" ? nameProblems(kind, content) : [];
}

/** The body of a submission. Unknown and server-assigned fields change nothing. */
export const SkillInput = z.object({ ...submitFields, editKey: OwnEditKey })
  .refine((skill) => !lacksSource(skill, "license"), sourceRule("license"))
  .refine((skill) => !lacksSource(skill, "sourceUrl"), sourceRule("sourceUrl"))
  .refine((skill) => misnamed(skill).length === 0, {
    path: ["content"],
    error: ({ input }) => misnamed(input)[0]!.message,
    when: () => true,
  })
  .meta({
    id: "SkillInput",
    description: "A skill to share. title, summary, kind and content are required; " +
      "license and sourceUrl too if origin is third-party",
  });
export type SkillInput = z.output<typeof SkillInput>;

/** The body of an edit: any subset of the submit fields; null clears an optional field. */
export const SkillPatch = patchOf("SkillPatch", submitFields);
export type SkillPatch = z.output<typeof SkillPatch>;

/** The form in which content is compared: line endings as LF, no outer whitespace. */
export function comparedForm(content: string): string {
  return content.replace(/\r\n?/g, "\n").trim();
}

/** A skill in KV. The content has its own key; votes and copies are counters. */
export interface StoredSkill extends StoredEntry, Omit<SkillInput, "content" | "editKey"> {
  state: "live" | "hidden" | "withdrawn";
  /** Who sent it, by X-Agent-Name. */
  submittedBy: string | null;
  /** SHA-256 of the compared form of the content, base64url; the key of `skills_by_content`. */
  contentKey: string;
  /** The summary in its file, from when the content was added; by default `summary`. */
  fileSummary?: string;
  /** The folder of a SKILL.md whose own name differs from its slug. */
  folder?: string;
  /** SHA-256 in hex of the content, and of the file that installs it. */
  sha256: string;
  fileSha256: string;
  /** Code points. (UTF-16 units in records from before December 2026.) */
  characters: number;
}

const changedFacts = z.object({
  commands: z.array(z.string()),
  links: z.array(z.string()),
  secrets: z.array(z.string()),
  permissions: z.array(z.string()),
});
export type ChangedFacts = z.output<typeof changedFacts>;

/** A version of a skill in KV. */
export interface StoredVersion {
  sha256: string;
  /** When it began (ms since the epoch). */
  at: number;
  /** The summary in its file. Absent in versions from before December 2026. */
  summary?: string;
}

/** What a version changed, in KV: what is new since the one before, and what is gone. */
export interface StoredStep {
  added: ChangedFacts;
  removed: ChangedFacts;
  /** Lines added and removed. */
  lines: [added: number, removed: number];
}

const isoDate = z.iso.datetime();

/** A version of a skill as shown. */
export const SkillVersion = z.object({
  sha256: z.string(),
  at: isoDate.describe("When it was added"),
  added: changedFacts.describe(
    "Facts that the previous version doesn't have, up to 10 of each kind",
  ),
  removed: changedFacts,
  lines: z.object({ added: z.int().min(0), removed: z.int().min(0) }),
  diffUrl: z.url().describe("These changes as a unified diff"),
  page: z.url().describe("A page that compares it with the previous version"),
}).meta({ id: "SkillVersion" });
export type SkillVersion = z.output<typeof SkillVersion>;

/** A SHA-256 in hex. */
export const Digest = z.string().regex(/^[0-9a-f]{64}$/, "Must be a SHA-256: 64 hex digits");

/** How to install a skill where its kind belongs. */
const SkillInstall = z.object({
  hint: z.string().describe("What to do with the content"),
  fileName: z.string(),
  file: z.string().describe(
    "Path in a client's skills folder. A skill-md gets a folder named as in its frontmatter",
  ),
  append: z.boolean().describe("True: append to the file at installPath. False: save it there"),
  fileUrl: z.url().describe("The file to download"),
  command: z.string().describe("Downloads the file to installPath, in a POSIX shell"),
  npx: z.string().nullable().describe("Installs it with the skills CLI (skill-md only)"),
}).meta({ id: "SkillInstall" });

/** A skill as lists show it, without its content. */
export const PublicSkill = z.object({
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  kind: skillKind,
  category: Tag.nullable(),
  worksWith: z.array(toolSlug),
  tags: z.array(Tag),
  installHint: z.string().nullable(),
  author: z.string().nullable(),
  license: z.string().nullable(),
  origin: Origin,
  sourceUrl: z.url().nullable(),
  submittedBy: z.string().nullable(),
  signedBy: SignedBy,
  verified: PublicVerified.nullable(),
  votes: z.int().min(0),
  copies: z.int().min(0),
  characters: z.int(),
  sha256: z.string()
    .describe(
      "SHA-256 of the raw content in hex. A downloaded SKILL.md may have added frontmatter",
    ),
  installPath: z.string().describe("Where it goes in your project or repository"),
  install: SkillInstall,
  createdAt: isoDate,
  updatedAt: isoDate,
  page: z.url(),
  apiUrl: z.url(),
  rawUrl: z.url(),
}).meta({ id: "Skill", description: "A shared skill, without its content" });
export type PublicSkill = z.output<typeof PublicSkill>;

/** One skill with its content and the facts found in it. */
export const FullSkill = PublicSkill.extend({
  content: z.string(),
  facts: SkillFacts,
  history: z.array(SkillVersion).max(LIMITS.skillVersions + LIMITS.skillVersionsInstalled)
    .describe("Versions of the content, newest first; ?sha256= returns one"),
}).meta({
  id: "FullSkill",
  description: "A shared skill with its content and what the scan found",
});
export type FullSkill = z.output<typeof FullSkill>;

/** Warnings about an accepted submission or edit. */
export const SkillWarnings = z.array(z.object({
  field: z.literal("content"),
  message: z.string(),
  frontmatter: z.string().optional().describe("Corrected frontmatter"),
})).describe("Possible installation problems and possible secrets");
export type SkillWarning = z.infer<typeof SkillWarnings>[number];

/** The query of a list of skills. */
export const SkillQuery = z.object({
  q: SearchText,
  kind: skillKind.optional(),
  worksWith: toolSlug.optional(),
  category: WrittenTag.optional(),
  tag: WrittenTag.optional(),
  sort: skillSortId.optional().describe(
    describeSort(SKILL_SORTS, "(votes + copies * 0.1 + 1) / (age in hours + 2)^1.5"),
  ),
  limit: queryLimit,
  offset: queryOffset,
});
export type SkillQuery = z.output<typeof SkillQuery>;

/** The query of the site's skills page, whose address can also name the best match. */
export const SkillBrowseQuery = SkillQuery.extend({
  q: PastedSearchText,
  sort: z.enum([...skillSortId.options, "best"]).default("best"),
});
export type SkillBrowseQuery = z.output<typeof SkillBrowseQuery>;

/** The query of one skill. */
export const SkillFormatQuery = z.object({
  sha256: Digest.optional().describe("The version with this SHA-256"),
  format: z.enum(["json", "raw", "md", "diff"]).default("json").describe(
    "raw: the content as plain text; md: a Markdown card; diff: a unified diff from the previous version",
  ),
});
