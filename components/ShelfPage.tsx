import type { ComponentChildren } from "preact";
import type { Deps } from "../lib/app/deps.ts";
import { feedPaths } from "../lib/documents/feeds.ts";
import type { ListPage } from "../lib/http/paging.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { SORTS } from "../lib/read_model/sorts.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { EmptyState } from "./EmptyState.tsx";
import { besideList, CategoryList, Follow, PopularTags, ToolList } from "./ListAside.tsx";
import { ListingList } from "./ListingRow.tsx";
import { namedSort, Orders, titledSort } from "./Orders.tsx";
import { Page } from "./Page.tsx";
import { givenPage, namedPage, Pager, PastTheEnd } from "./Pager.tsx";
import { tallyOf } from "./Tally.tsx";

/** The projects of one category or tool (`slug`), with their sort orders. */
export function ShelfPage(props: {
  deps: Deps;
  kind: "category" | "tool";
  slug: string;
  title: string;
  description: string;
  /** The heading, if it differs from the title. */
  heading?: ComponentChildren;
  /** Which projects it lists: "built with Manus", "in Games". */
  which: string;
  /** What its projects are, if the heading doesn't say so. */
  lead?: string;
  url: URL;
  sort: string;
  list: ListPage<PublicListing>;
}) {
  const { deps, kind, slug, title, lead, url, sort, list } = props;
  const [category, tool] = kind === "category" ? [slug] : [undefined, slug];
  const isEmpty = list.total === 0;
  const filters = { category, tool, sort: namedSort({ sort }) };
  const feeds = feedPaths({ kind, slug });
  return (
    <Page
      deps={deps}
      title={title}
      view={[titledSort({ sort }, SORTS), namedPage(list)]}
      description={props.description}
      path={list.offset === 0 ? paths[kind](slug) : undefined}
      json={withQuery(paths.apiListings, { ...filters, ...givenPage(url) })}
      feed={feeds.rss}
    >
      <h1 class="shelf-title">{props.heading ?? title}</h1>
      {lead && <p class="lead">{lead}</p>}
      <div class={besideList(list)}>
        <div>
          {!isEmpty && (
            <div class="section-head">
              <h2 class="tally">{tallyOf(list, "project")}</h2>
              <p>
                <a href={withQuery(paths.projects, filters)}>Filter these</a>
              </p>
              {list.total > 1 && <Orders query={{ sort }} action={url.pathname} orders={SORTS} />}
            </div>
          )}
          {list.items.length > 0
            ? (
              <ListingList
                listings={list.items}
                start={list.offset + 1}
                label={title}
                shelf={category}
                tool={tool}
                now={deps.clock.now()}
              />
            )
            : isEmpty
            ? (
              <EmptyState title={`Be the first to list a project ${props.which}`}>
                <p>
                  <a
                    class="button primary"
                    href={withQuery(paths.submit, { category, builtWith: tool })}
                  >
                    Submit a project
                  </a>
                </p>
              </EmptyState>
            )
            : <PastTheEnd url={url} />}
          <Pager url={url} list={list} />
        </div>
        {deps.catalogue.size > 0 && (
          <aside class="side" aria-label="More lists">
            {tool === undefined
              ? <CategoryList deps={deps} current={category} />
              : <ToolList deps={deps} current={tool} />}
            <PopularTags deps={deps} />
            {!isEmpty && <Follow feeds={feeds} />}
          </aside>
        )}
      </div>
    </Page>
  );
}
