import { parse } from "yaml";
import { type SkillKind, skillKinds } from "../catalog/skill_kinds.ts";
import { paths, type Urls } from "../urls.ts";
import { frontmatterOf, parseYaml, readYaml } from "./frontmatter.ts";
import type { PublicSkill } from "./schema.ts";

const OPENING = /^\uFEFF?---\r?\n/;
const FIELDS = ["name", "description"] as const;
const SKILL_MD: SkillKind = "skill-md";

/**
 * The file that installs a skill. A skill-md file must start with YAML frontmatter with a name and
 * a description (agentskills.io); missing ones are added from the slug and the summary when the
 * content was added. For other kinds, the file is the content.
 */
export function skillFile(
  skill: { slug: string; kind: SkillKind } & Summaries,
  content: string,
): string {
  if (skill.kind !== SKILL_MD) return content;
  const front = frontmatterOf(content);
  const data = front && readYaml(front.yaml);
  const missing = missingIn(data);
  if (missing.length === 0) return content;
  const header = { name: yamlText(skill.slug), description: JSON.stringify(fileSummaryOf(skill)) };
  // A field that is there but isn't text can't be added as a line of its own.
  if (data && missing.every((field) => !(field in data))) {
    const added = missing.map((field) => `${field}: ${header[field]}\n`).join("");
    const file = content.replace(OPENING, (opening) => opening + added);
    // A mapping in braces, or an indented one, can't take another line.
    if (missingIn(parseYaml(frontmatterOf(file)!.yaml)).length === 0) return file;
  }
  return `---\nname: ${header.name}\ndescription: ${header.description}\n---\n\n${content}`;
}

interface Summaries {
  summary: string;
  fileSummary?: string;
}

/** The summary in a skill's file. */
export function fileSummaryOf({ summary, fileSummary = summary }: Summaries): string {
  return fileSummary;
}

/** The fields that frontmatter lacks, or that aren't text. */
function missingIn(data: unknown): (typeof FIELDS)[number][] {
  return FIELDS.filter((field) => !isText((data as Record<string, unknown> | null)?.[field]));
}

/** A slug as YAML that every parser reads as text: a bare 2048 is a number, and `no` a boolean. */
function yamlText(slug: string): string {
  const isBareText = (["1.1", "1.2"] as const).every((version) => isText(parse(slug, { version })));
  return isBareText ? slug : JSON.stringify(slug);
}

/**
 * Where a skill is installed, how, and the command that does it. A SKILL.md with a name goes in the
 * folder of that name.
 */
export function installOf(
  skill: { slug: string; kind: SkillKind; folder?: string; sha256: string },
  urls: Urls,
): Pick<PublicSkill, "installPath" | "install"> {
  const { slug, kind } = skill;
  const info = skillKinds.find((row) => row.kind === kind)!;
  const folder = skill.folder ?? slug;
  const path = (info.installPath ?? "<slug>.md").replaceAll("<slug>", folder);
  const fileName = path.slice(path.lastIndexOf("/") + 1);
  const isSkillMd = kind === SKILL_MD;
  // With the digest, so later edits don't change what a command installs.
  const fileOf = isSkillMd ? paths.skillFile : paths.apiSkillRaw;
  const fileUrl = urls.to(fileOf(slug, skill.sha256));
  return {
    installPath: path,
    install: {
      hint: info.hint.replaceAll("<slug>", folder),
      fileName,
      file: isSkillMd ? `${folder}/${fileName}` : fileName,
      append: info.append,
      fileUrl,
      // The file may lack a final line break, and the skill's first line must not join its last.
      command: info.append
        ? `{ echo; curl -fsSL '${fileUrl}'; } >> ${path}`
        : `curl -fsSL --create-dirs -o ${path} '${fileUrl}'`,
      // The client reads the index below this address.
      npx: isSkillMd ? `npx skills add ${urls.to(paths.skillVersion(slug, skill.sha256))}` : null,
    },
  };
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
