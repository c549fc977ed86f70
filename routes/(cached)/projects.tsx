import { page } from "fresh";
import { EmptyState } from "@/components/EmptyState.tsx";
import { Fruitless, NearestNote } from "@/components/Fruitless.tsx";
import { besideList, Follow, PopularTags, Shelves } from "@/components/ListAside.tsx";
import { ListingList } from "@/components/ListingRow.tsx";
import { namedSort, Orders, titledSort } from "@/components/Orders.tsx";
import { Page } from "@/components/Page.tsx";
import { givenPage, namedPage, Pager, PastTheEnd } from "@/components/Pager.tsx";
import { FewerFilters, ProjectFilters } from "@/components/ProjectFilters.tsx";
import { Tally } from "@/components/Tally.tsx";
import { ToolMark } from "@/components/ToolMark.tsx";
import { define } from "@/lib/app/define.ts";
import { nameOfCategory } from "@/lib/catalog/categories.ts";
import { nameOfPrice } from "@/lib/catalog/pricing.ts";
import { builtWith, type ToolSlug } from "@/lib/catalog/tools.ts";
import { browse, type Elsewhere } from "@/lib/discovery/browse.ts";
import { GEMS_A_DAY } from "@/lib/discovery/gems.ts";
import { BrowseQuery } from "@/lib/discovery/query.ts";
import { feedPaths, type FeedScope } from "@/lib/documents/feeds.ts";
import { parsePageQuery } from "@/lib/http/forms.ts";
import type { PublicListing } from "@/lib/listings/schema.ts";
import type { SearchPage } from "@/lib/read_model/lists.ts";
import { SORTS } from "@/lib/read_model/sorts.ts";
import { showInvisible } from "@/lib/text/clean.ts";
import { paths, withQuery } from "@/lib/urls.ts";

/** A category or tool, whose projects have an address of their own (`path`). */
export interface Shelf {
  path: string;
  title: string;
  description: string;
  /** Which projects it lists: "built with Manus", "in Games". */
  which: string;
  /** The slug of a tool. */
  mark?: ToolSlug;
}

interface Data {
  query: BrowseQuery;
  list: SearchPage<PublicListing>;
  elsewhere: Elsewhere | null;
  shelf?: Shelf;
}

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    return page<Data>(await browse(deps, parsePageQuery(BrowseQuery, ctx.url), deps.catalogue));
  },
});

export default define.page<typeof handler>(function Projects({ data, state, url }) {
  const { query, list, elsewhere, shelf } = data;
  const heading = shelf?.title ?? titleOf(query);
  const isEmpty = state.deps.catalogue.size === 0;
  const { limit: _limit, offset, sort: _sort, ...others } = query;
  const filters = { ...others, sort: namedSort(query) };
  const scope = scopeOf(others, list.total);
  const feeds = scope && feedPaths(scope);
  return (
    <Page
      deps={state.deps}
      title={heading}
      view={[
        shelf || query.q || query.gems || query.promoted ? titledSort(query, SORTS) : undefined,
        namedPage(query),
      ]}
      description={shelf?.description ??
        "Browse projects by people and AI agents. Sort them, or filter by category, tool and price."}
      path={offset > 0 || query.q ? undefined : shelf?.path ?? withQuery(paths.projects, filters)}
      json={withQuery(paths.apiListings, { ...filters, ...givenPage(url, query) })}
      feed={scope?.kind === "projects" ? undefined : feeds?.xml}
    >
      {shelf?.mark
        ? (
          <h1 class="shelf-title">
            <ToolMark slug={shelf.mark} /> {heading}
          </h1>
        )
        : <h1>{heading}</h1>}
      {shelf && !shelf.mark && <p class="lead">{shelf.description}</p>}
      {query.gems && (
        <p class="lead">
          New projects with detailed pages, picked before many people had seen them. Up to{" "}
          {GEMS_A_DAY} a day, <a href={`${paths.ranking}#gems`}>never for money</a>.
        </p>
      )}
      {!isEmpty && <ProjectFilters query={query} />}
      <div class={besideList(list)}>
        <div>
          {list.nearest && <NearestNote noun="project" q={query.q} elsewhere={elsewhere} />}
          {!isEmpty && (
            <Tally list={list} noun="project" narrowedBy={others} all={paths.projects}>
              <Orders
                query={shelf ? { sort: query.sort } : query}
                action={url.pathname}
                orders={SORTS}
              />
            </Tally>
          )}
          {list.items.length > 0
            ? (
              <ListingList
                listings={list.items}
                start={offset + 1}
                label={heading}
                whole={query.q !== undefined}
                shelf={query.category}
                tool={query.tool}
                now={state.deps.clock.now()}
                gems={query.gems !== undefined}
              />
            )
            : list.total > 0
            ? <PastTheEnd url={url} />
            : isEmpty || shelf
            ? (
              <EmptyState
                title={isEmpty
                  ? "Nothing listed yet"
                  : `Be the first to list a project ${shelf!.which}`}
              >
                <p>
                  <a
                    class="button primary"
                    href={withQuery(paths.submit, {
                      category: query.category,
                      builtWith: query.tool,
                    })}
                  >
                    {isEmpty ? "Submit the first project" : "Submit a project"}
                  </a>
                </p>
              </EmptyState>
            )
            : (
              <Fruitless noun="project" q={query.q} elsewhere={elsewhere}>
                <FewerFilters query={query} catalogue={state.deps.catalogue} />
                <p>
                  <a href={paths.projects} aria-current="false">
                    {query.q === undefined ? "Show all projects" : "Clear the search"}
                  </a>
                  {!query.gems && !query.promoted && (
                    <>
                      {" "}or <a href={paths.submit}>submit the project you were looking for</a>
                    </>
                  )}.
                </p>
              </Fruitless>
            )}
          <Pager url={url} list={list} />
        </div>
        {!isEmpty && (
          <aside class="side" aria-label="More lists">
            {shelf?.mark
              ? <Shelves deps={state.deps} kind="tool" current={shelf.mark} title="Tools" />
              : (
                <Shelves
                  deps={state.deps}
                  kind="category"
                  current={query.category}
                  title={query.q ? "All categories" : "Categories"}
                />
              )}
            <PopularTags deps={state.deps} />
            {feeds && <Follow feeds={feeds} />}
          </aside>
        )}
      </div>
    </Page>
  );
});

/** The feed of the same projects, if there is one. A tag without projects has none. */
function scopeOf(
  filters: Record<string, string | undefined>,
  total: number,
): FeedScope | undefined {
  const [filter = ["projects", ""], another] = Object.entries(filters).filter(([, slug]) => slug);
  const [kind, slug = ""] = filter;
  if (another) return undefined;
  if (kind === "projects" || kind === "gems") return { kind };
  const hasFeed = kind === "category" || kind === "tool" || (kind === "tag" && total > 0);
  return hasFeed ? { kind, slug } : undefined;
}

function titleOf(query: BrowseQuery): string {
  const { q, sort, category, tool, tag, pricing } = query;
  const kind = query.gems ? "Hidden gems" : query.promoted ? "Promoted projects" : undefined;
  const order = SORTS.find(({ id }) => id === sort);
  const text = [
    q ? `${kind ?? "Results"} for “${showInvisible(q)}”` : kind ?? `${order?.name} projects`,
    category && `in ${nameOfCategory(category)}`,
    tool && builtWith(tool),
    tag && `tagged ${tag}`,
  ].filter(Boolean).join(" ");
  return pricing ? `${text}, ${nameOfPrice(pricing).toLowerCase()}` : text;
}
