import type { Answer } from "../http/answers.ts";
import { parseQuery } from "../http/input.ts";
import { type ListPage, nextOffset, pageLinks } from "../http/paging.ts";
import { entity, TYPES } from "../http/respond.ts";
import type { PublicListing } from "../listings/schema.ts";
import type { CatalogueQuery } from "./catalogue_types.ts";
import type { Deps } from "./deps.ts";
import { pageBody } from "./page_body.ts";
import { pageEtag } from "./page_etag.ts";
import { ListingQuery } from "./query.ts";
import { digest } from "./record_store.ts";

/**
 * How many texts a search may index itself before it answers. If there are more, it waits for the
 * indexing that runs between other work.
 */
const FEW_UNINDEXED = 500;

/**
 * A page of live listings in the order of `sort`. A search waits until the texts are indexed. Pages
 * may ask for the `best` matches first.
 */
export async function listProjects(
  deps: Deps,
  query: CatalogueQuery,
): Promise<ListPage<PublicListing>> {
  await searchReady(deps.catalogue, query);
  return deps.catalogue.list(query);
}

/**
 * The answer of `GET /api/v1/projects` for a URL: made once, then sent until something changes.
 * Throws `invalid_input`.
 */
export async function projectsAnswer(deps: Deps, url: URL): Promise<Answer> {
  const { answers, catalogue } = deps;
  const key = `projects${url.search}`;
  const { revision } = catalogue;
  // Hot lists move with time too.
  const ranked = `${revision} ${catalogue.rankedAt}`;
  const kept = answers.get(key, revision) ?? answers.get(key, ranked);
  if (kept !== undefined) return kept;
  const query = parseQuery(ListingQuery, url);
  await searchReady(catalogue, query);
  const { limit, offset } = query;
  const { slots, total } = catalogue.select(query);
  const page = { total, limit, offset, nextOffset: nextOffset(total, limit, offset) };
  const records = catalogue.records(slots);
  if (query.explain) {
    for (const [i, slot] of slots.entries()) {
      const field = `,"explain":${JSON.stringify(catalogue.explain(slot))}}`;
      records.texts[i] = records.texts[i]!.slice(0, -1) + field;
      records.length += field.length - 1;
      records.digests.push(digest(field));
    }
  }
  const tail = `],${JSON.stringify(page).slice(1)}`;
  return answers.set(key, {
    content: {
      body: pageBody(HEAD, records, tail),
      type: TYPES.json,
      etag: pageEtag([ENVELOPE, total, limit, offset, ...records.digests]),
    },
    link: pageLinks(deps.urls, { url, schema: ListingQuery, page }),
  }, query.sort === "hot" || query.explain !== undefined ? ranked : revision);
}

const HEAD = '{"ok":true,"projects":[';
/**
 * The text around the records of a list, for the ETag. `nextOffset` follows from the other numbers.
 */
const ENVELOPE = digest(`${HEAD}],"total":,"limit":,"offset":,"nextOffset":}`);

/**
 * The answer of `GET /api/v1/projects/{slug}` as JSON, or undefined if the catalogue does not know
 * the listing. It may be so new that only KV knows it.
 */
export function projectAnswer(deps: Deps, slug: string): Answer["content"] | undefined {
  const { answers, catalogue } = deps;
  const key = `project ${slug}`;
  const { revision } = catalogue;
  const kept = answers.get(key, revision);
  if (kept !== undefined) return kept.content;
  const record = catalogue.find(slug);
  if (record === undefined) return undefined;
  const content = entity(`{"ok":true,"project":${record}}`);
  return answers.set(key, { content }, revision).content;
}

/** Waits until the texts are indexed, if the query is a search and many of them are not. */
export async function searchReady(
  texts: { readonly unindexed: number; indexText(): Promise<void> },
  query: { q?: string },
): Promise<void> {
  if (query.q !== undefined && texts.unindexed > FEW_UNINDEXED) await texts.indexText();
}
