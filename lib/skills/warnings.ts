import { nameWarnings } from "./file_name.ts";
import type { FullSkill, SkillWarning } from "./schema.ts";

/** Warns the author of an accepted skill about its name, and about secrets in its content. */
export function skillWarnings(skill: FullSkill): SkillWarning[] {
  const secrets = skill.facts.secrets.items.filter(({ kind }) => kind === "value");
  return [
    ...nameWarnings(skill, skill.content),
    ...secrets.map(({ line, text }) => ({
      field: "content" as const,
      message: `Line ${line} may have a secret: ${text}. Anyone can read it here`,
    })),
  ];
}
