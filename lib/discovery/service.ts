import type { Deps } from "../deps.ts";
import { entity, type ListPage, nextOffset, pageLinks } from "../http/respond.ts";
import { parseQuery } from "../http/input.ts";
import type { PublicListing } from "../listings/schema.ts";
import type { Answer } from "./answers.ts";
import type { CatalogueQuery } from "./catalogue_types.ts";
import { ListingQuery } from "./query.ts";

/** Texts that a search may index on its own account before it answers; more are waited for. */
const FEW_UNINDEXED = 500;

/**
 * A page of live listings in the order of `sort`. A search waits until the texts of a start are indexed.
 * Pages may ask for `best` matches first.
 */
export async function listProjects(
  deps: Deps,
  query: CatalogueQuery,
): Promise<ListPage<PublicListing>> {
  await searchReady(deps, query);
  return deps.catalogue.list(query);
}

/**
 * The answer of `GET /api/v1/projects` for a URL: made once, then sent until something changes.
 * Throws `invalid_input`.
 */
export async function projectsAnswer(deps: Deps, url: URL): Promise<Answer> {
  const key = `projects${url.search}`;
  const kept = deps.answers.get(key);
  if (kept !== undefined) return kept;
  const query = parseQuery(ListingQuery, url);
  await searchReady(deps, query);
  const { catalogue } = deps;
  const { limit, offset } = query;
  const { slots, total } = catalogue.select(query);
  const records = slots.map((slot) => {
    const record = catalogue.record(slot);
    if (!query.explain) return record;
    return `${record.slice(0, -1)},"explain":${JSON.stringify(catalogue.explain(slot))}}`;
  });
  const page = { total, limit, offset, nextOffset: nextOffset(total, limit, offset) };
  const body = `{"ok":true,"projects":[${records.join(",")}],${JSON.stringify(page).slice(1)}`;
  return deps.answers.set(key, {
    content: entity(body),
    headers: pageLinks(deps.urls, url, page),
    ranked: query.sort === "hot" || query.explain !== undefined,
  });
}

async function searchReady(deps: Deps, query: { q?: string }): Promise<void> {
  if (query.q !== undefined && deps.catalogue.unindexed > FEW_UNINDEXED) {
    await deps.catalogue.indexText();
  }
}
