import type { ComponentChildren } from "preact";
import type { ListPage } from "../lib/http/paging.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { SORTS } from "../lib/read_model/sorts.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { EmptyState } from "./EmptyState.tsx";
import { besideList, CategoryList, Follow, PopularTags, ToolList } from "./ListAside.tsx";
import { ListingList } from "./ListingRow.tsx";
import { namedSort, Orders, titledSort } from "./Orders.tsx";
import { Page } from "./Page.tsx";
import type { PageHeadProps } from "./PageHead.tsx";
import { givenPage, namedPage, Pager, PastTheEnd } from "./Pager.tsx";
import { tallyOf } from "./Tally.tsx";

/** The projects of one category or tool, with their sort orders. */
export function ShelfPage(props: {
  head: Omit<PageHeadProps, "view" | "feed" | "json">;
  feeds: { rss: string; json: string };
  /** The heading, if it differs from the title. */
  heading?: ComponentChildren;
  /** Which projects it lists: "built with Manus", "in Games". */
  which: string;
  /** What its projects are, if the heading doesn't say so. */
  lead?: string;
  url: URL;
  sort: string;
  list: ListPage<PublicListing>;
  /** What its projects have in common. */
  filter: { category?: string; tool?: string };
}) {
  const { head, lead, url, sort, list } = props;
  const { category, tool } = props.filter;
  const isEmpty = list.total === 0;
  const filters = { ...props.filter, sort: namedSort({ sort }) };
  return (
    <Page
      {...head}
      json={withQuery(paths.apiListings, { ...filters, ...givenPage(url) })}
      feed={props.feeds.rss}
      view={[titledSort({ sort }, SORTS), namedPage(list)]}
    >
      <h1 class="shelf-title">{props.heading ?? head.title}</h1>
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
                label={head.title}
                shelf={category}
                tool={tool}
                now={head.deps.clock.now()}
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
        {head.deps.catalogue.size > 0 && (
          <aside class="side" aria-label="More lists">
            {tool === undefined
              ? <CategoryList deps={head.deps} current={category} />
              : <ToolList deps={head.deps} current={tool} />}
            <PopularTags deps={head.deps} />
            {!isEmpty && <Follow feeds={props.feeds} />}
          </aside>
        )}
      </div>
    </Page>
  );
}
