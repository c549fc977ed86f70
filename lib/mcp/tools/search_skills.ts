import { z } from "zod";
import { skillKind } from "../../catalog/skill_kinds.ts";
import { WrittenTag } from "../../fields.ts";
import { LIMITS } from "../../limits.ts";
import { pageFields, searchFields } from "../../openapi/shapes.ts";
import { describeSort, SKILL_SORTS, skillSortId } from "../../read_model/sorts.ts";
import type { PublicSkill } from "../../skills/schema.ts";
import { plural } from "../../text/count.ts";
import { boldMarkdown, escapeMarkdown } from "../../text/escape.ts";
import { entriesThatFit, jsonTokens } from "../budget.ts";
import { searchAnswer } from "../page_text.ts";
import { limitTo, params } from "../params.ts";
import { defineTool, READS } from "../tool.ts";

/** A skill in a list: the fields of the JSON API without the long ones. */
const SkillBrief = z.object({
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  kind: z.string(),
  worksWith: z.array(z.string()),
  license: z.string().nullable(),
  votes: z.int(),
  copies: z.int(),
  page: z.string(),
});

export const searchSkills = defineTool({
  name: "search_skills",
  title: "Search skills",
  description: "List or search instructions for AI agents. Get the content with get_skill.",
  annotations: READS,
  input: z.strictObject({
    query: params.query,
    kind: skillKind.optional().describe("Only this kind"),
    worksWith: params.tool.describe("Only skills that work with this tool"),
    category: WrittenTag.optional().describe("Only this category"),
    sort: skillSortId.optional()
      .describe(describeSort(SKILL_SORTS, "votes and copies, weighted by age")),
    limit: limitTo(LIMITS.pageSizeMax),
    offset: params.offset,
  }),
  output: z.object({
    skills: z.array(SkillBrief),
    ...pageFields,
    ...searchFields,
  }),
  async run({ deps }, { query, ...filters }) {
    const found = await deps.skills.page({ ...filters, q: query });
    const cost = (skill: PublicSkill) =>
      jsonTokens(SkillBrief.parse(skill)) + jsonTokens(skillLine(skill));
    const shown = entriesThatFit(found.items, cost);
    const { page, text } = await searchAnswer(deps, "skill", {
      found,
      lines: shown.map(skillLine),
      details: "Content: get_skill.",
      query,
      filters: [filters.kind, filters.worksWith, filters.category],
    });
    return { data: { skills: shown.map((skill) => SkillBrief.parse(skill)), ...page }, text };
  },
});

/** A skill as one item of a Markdown list. */
function skillLine(skill: PublicSkill): string {
  const counts = `${plural(skill.votes, "vote")}, ${plural(skill.copies, "copy", "copies")}`;
  return `- ${boldMarkdown(skill.title)} (${skill.slug}, ${skill.kind}, ${counts}): ` +
    escapeMarkdown(skill.summary);
}
