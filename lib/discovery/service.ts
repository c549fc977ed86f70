import type { Answer } from "../http/answers.ts";
import { parseQuery, unknownParameters } from "../http/input.ts";
import { nextOffset, pageLinks } from "../http/paging.ts";
import { entity } from "../http/respond.ts";
import type { Deps } from "./deps.ts";
import { ListingQuery } from "./query.ts";

/**
 * The response to `GET /api/v1/projects` for a URL, cached until something changes, or for a
 * second. Throws `invalid_input`.
 */
export async function projectsAnswer(deps: Deps, url: URL): Promise<Answer> {
  const { answers, catalogue } = deps;
  const key = `projects${url.search}`;
  // Hot lists also change over time.
  const revision = `${catalogue.revision} ${catalogue.rankedAt}`;
  const kept = answers.get(key, revision);
  if (kept !== undefined) return kept;
  const query = parseQuery(ListingQuery, url);
  await catalogue.textReady(query);
  const { q, limit, offset } = query;
  const { rows, total, search } = catalogue.select(query);
  const page = { total, limit, offset, nextOffset: nextOffset(total, limit, offset), ...search };
  const projects = rows.map((row) => {
    const json = catalogue.json(row);
    if (query.explain === undefined) return json;
    const match = q === undefined ? {} : { match: catalogue.matchOf(row, { ...query, q }) };
    const { votes, uses, ageHours, score } = catalogue.explain(row);
    const explain = JSON.stringify({ votes, clicks: uses, ageHours, score, ...match });
    return `${json.slice(0, -1)},"explain":${explain}}`;
  });
  const ignoredParameters = unknownParameters(ListingQuery, url);
  const head = JSON.stringify({ ok: true, ignoredParameters }).slice(0, -1);
  const body = `${head},"projects":[${projects.join(",")}],${JSON.stringify(page).slice(1)}`;
  return answers.set(key, {
    content: entity(body),
    link: pageLinks(deps.urls, { url, schema: ListingQuery, page }),
  }, revision);
}

/**
 * The response to `GET /api/v1/projects/{slug}` as JSON, or undefined if the catalogue doesn't have
 * the listing. It may be so new that only KV has it.
 */
export function projectAnswer(deps: Deps, slug: string): Answer["content"] | undefined {
  const { answers, catalogue } = deps;
  const key = `project ${slug}`;
  const { revision } = catalogue;
  const kept = answers.get(key, revision);
  if (kept !== undefined) return kept.content;
  const row = catalogue.row(slug);
  if (row === undefined) return undefined;
  const content = entity(`{"ok":true,"project":${catalogue.json(row)}}`);
  return answers.set(key, { content }, revision).content;
}
