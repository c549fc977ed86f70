import { z } from "zod";
import type { PublicSkill } from "../skills/schema.ts";
import { plural } from "../text/count.ts";
import { boldMarkdown, escapeMarkdown } from "../text/escape.ts";
import { entriesThatFit, jsonTokens } from "./budget.ts";

/** A skill in a list: the fields of the JSON API without the long ones. */
export const SkillBrief = z.object({
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

/** A skill as one item of a Markdown list. */
export function skillLine(skill: PublicSkill): string {
  const counts = `${plural(skill.votes, "vote")}, ${plural(skill.copies, "copy", "copies")}`;
  return `- ${boldMarkdown(skill.title)} (${skill.slug}, ${skill.kind}, ${counts}): ` +
    escapeMarkdown(skill.summary);
}

/** The first skills that fit in a result. */
export function fittingSkills(skills: PublicSkill[]): PublicSkill[] {
  const cost = (skill: PublicSkill) =>
    jsonTokens(SkillBrief.parse(skill)) + jsonTokens(skillLine(skill));
  return entriesThatFit(skills, cost);
}
