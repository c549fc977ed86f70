import type { SkillKind } from "../catalog/skill_kinds.ts";
import type { FieldProblem } from "../errors.ts";
import { slugBase } from "../text/slug.ts";
import { frontmatterOf, readYaml } from "./frontmatter.ts";

/** Valid skill names (agentskills.io/specification, the field `name`). */
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The name in a SKILL.md; null if it has none, and for other kinds. */
function givenName(kind: SkillKind, content: string): string | null {
  const front = kind === "skill-md" ? frontmatterOf(content) : null;
  const name = front && readYaml(front.yaml)?.name;
  return typeof name === "string" && name.trim() !== "" ? name : null;
}

/**
 * The folder for a SKILL.md, if it has a valid name of its own: clients drop a skill whose folder
 * has another name.
 */
export function folderOf(kind: SkillKind, content: string): string | undefined {
  const name = givenName(kind, content);
  return name !== null && NAME.test(name) ? name : undefined;
}

/** What is wrong with the name in a SKILL.md, as a problem of the content. */
export function nameProblems(kind: SkillKind, content: string): FieldProblem[] {
  const name = givenName(kind, content);
  if (name === null || NAME.test(name)) return [];
  const valid = slugBase(name, { reserved: new Set(), fallback: "my-skill" }).slice(0, 64);
  return [{
    field: "content",
    message:
      "The name in the frontmatter must be 1 to 64 lowercase letters and digits, separated by " +
      `single hyphens. Use name: ${valid}, or leave the name out`,
  }];
}
