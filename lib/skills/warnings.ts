import { parseDocument } from "yaml";
import type { SkillKind } from "../catalog/skill_kinds.ts";
import { folderOf } from "./file_name.ts";
import { frontmatterOf } from "./frontmatter.ts";
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

/** Warns if the name in a SKILL.md differs from its slug. */
export function nameWarnings(
  { slug, kind }: { slug: string; kind: SkillKind },
  content: string,
): SkillWarning[] {
  const name = folderOf(kind, content);
  if (name === undefined || name === slug) return [];
  const yaml = parseDocument(frontmatterOf(content)!.yaml);
  yaml.set("name", slug);
  return [{
    field: "content",
    message:
      `The file calls itself ${name}, but its URL here ends in ${slug}. It installs in the folder ` +
      `${name}. To use one name everywhere, edit the content to start with this frontmatter`,
    frontmatter: `---\n${yaml.toString().trimEnd()}\n---\n`,
  }];
}
