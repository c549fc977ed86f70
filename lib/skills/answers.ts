import type { Deps } from "../deps.ts";
import type { Answer } from "../discovery/answer_cache.ts";
import { searchReady } from "../discovery/service.ts";
import { parseQuery } from "../http/input.ts";
import { type ListPage, pageLinks } from "../http/paging.ts";
import { entity, TYPES } from "../http/respond.ts";
import { skillCard } from "./markdown.ts";
import { type PublicSkill, SkillQuery } from "./schema.ts";
import { getSkill } from "./service.ts";

/** A page of live skills. A search waits until the texts are indexed. */
export async function listSkills(deps: Deps, query: SkillQuery): Promise<ListPage<PublicSkill>> {
  await searchReady(deps.skills, query);
  return deps.skills.list(query, deps.clock.now());
}

/**
 * The answer of `GET /api/v1/skills` for a URL: made once, then sent until something changes.
 * Throws `invalid_input`.
 */
export async function skillsAnswer(deps: Deps, url: URL): Promise<Answer> {
  const key = `skills${url.search}`;
  const kept = deps.skillAnswers.get(key);
  if (kept !== undefined) return kept;
  const query = parseQuery(SkillQuery, url);
  await searchReady(deps.skills, query);
  const basis = deps.skillAnswers.basis();
  const { items, ...page } = deps.skills.list(query, deps.clock.now());
  return deps.skillAnswers.set(key, {
    content: entity(JSON.stringify({ ok: true, skills: items, ...page })),
    link: pageLinks(deps.urls, { url, schema: SkillQuery, page }),
    ranked: query.sort === "hot",
  }, basis);
}

/**
 * The answer of `GET /api/v1/skills/{slug}`: the record, the bare content byte for byte as it was
 * submitted, or a Markdown card. Made once, then sent until something changes. Throws `not_found`.
 */
export async function skillAnswer(
  deps: Deps,
  options: { slug: string; format: "json" | "raw" | "md" },
): Promise<Answer["content"]> {
  const { slug, format } = options;
  const key = `skill ${format} ${slug}`;
  const kept = deps.skillAnswers.get(key);
  if (kept !== undefined) return kept.content;
  const basis = deps.skillAnswers.basis();
  const skill = await getSkill(deps, slug);
  const content = format === "raw"
    ? entity(skill.content, TYPES.text)
    : format === "md"
    ? entity(skillCard(skill), TYPES.markdown)
    : entity(JSON.stringify({ ok: true, skill }));
  return deps.skillAnswers.set(key, { content }, basis).content;
}
