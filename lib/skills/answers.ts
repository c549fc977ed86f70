import type { Answer } from "../http/answers.ts";
import { parseQuery, unknownParameters } from "../http/input.ts";
import { pageLinks } from "../http/paging.ts";
import { entity, TYPES } from "../http/respond.ts";
import type { Deps } from "./deps.ts";
import { compareVersion } from "./diff.ts";
import { skillCard } from "./markdown.ts";
import { SkillQuery } from "./schema.ts";
import { getSkill } from "./service.ts";

/**
 * The response to `GET /api/v1/skills` for a URL: made once, then sent until something changes, or
 * for a second. Throws `invalid_input`.
 */
export async function skillsAnswer(deps: Deps, url: URL): Promise<Answer> {
  const { answers, skills } = deps;
  const key = `skills${url.search}`;
  // Hot lists also change with time.
  const revision = `${skills.revision} ${skills.rankedAt}`;
  const kept = answers.get(key, revision);
  if (kept !== undefined) return kept;
  const query = parseQuery(SkillQuery, url);
  const { items, ...page } = await skills.page(query);
  const ignoredParameters = unknownParameters(SkillQuery, url);
  return answers.set(key, {
    content: entity(JSON.stringify({ ok: true, ignoredParameters, skills: items, ...page })),
    link: pageLinks(deps.urls, { url, schema: SkillQuery, page }),
  }, revision);
}

/**
 * The response to `GET /api/v1/skills/{slug}`: the record, the raw content byte for byte as
 * submitted, a Markdown card, or what the version changed. Made once, then sent until something
 * changes. Throws `not_found`.
 */
export async function skillAnswer(
  deps: Deps,
  options: { slug: string; format: "json" | "raw" | "md" | "diff"; sha256?: string },
): Promise<Answer["content"]> {
  const { slug, format, sha256 } = options;
  const key = `skill ${format} ${slug} ${sha256 ?? ""}`;
  const { revision } = deps.skills;
  const kept = deps.answers.get(key, revision);
  if (kept !== undefined) return kept.content;
  if (format === "diff") {
    const { diff } = await compareVersion(deps, slug, sha256);
    return deps.answers.set(key, { content: entity(diff, TYPES.text) }, revision).content;
  }
  const skill = await getSkill(deps, slug, sha256);
  const content = format === "raw"
    ? entity(skill.content, TYPES.text)
    : format === "md"
    ? entity(skillCard(skill), TYPES.markdown)
    : entity(JSON.stringify({ ok: true, skill }));
  return deps.answers.set(key, { content }, revision).content;
}
