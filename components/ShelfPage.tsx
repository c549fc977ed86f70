import type { ComponentChildren } from "preact";
import type { ListPage } from "../lib/http/paging.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { EmptyState } from "./EmptyState.tsx";
import { CategoryList, Follow, PopularTags } from "./ListAside.tsx";
import { ListingList } from "./ListingRow.tsx";
import { Orders, titledSort } from "./Orders.tsx";
import { PageHead, type PageHeadProps } from "./PageHead.tsx";
import { namedPage, Pager, PastTheEnd } from "./Pager.tsx";
import { SORTS } from "./ProjectFilters.tsx";
import { tallyOf } from "./Tally.tsx";

/** The projects of one category or tool, with the orders to see them in. */
export function ShelfPage(props: {
  head: Omit<PageHeadProps, "description" | "view" | "feed">;
  feeds: { rss: string; json: string };
  /** The heading, where it is more than the title. */
  heading?: ComponentChildren;
  blurb: string;
  url: URL;
  sort: string;
  list: ListPage<PublicListing>;
  /** Query that prefills the submit page. */
  prefill: Record<string, string>;
}) {
  const { head, blurb, url, sort, list } = props;
  return (
    <main id="main" class="page">
      <PageHead
        {...head}
        feed={props.feeds.rss}
        view={[titledSort({ sort }, SORTS), namedPage(list)]}
        description={blurb}
      />
      <h1 class="shelf-title">{props.heading ?? head.title}</h1>
      <p class="lead">{blurb}</p>
      <div class="columns">
        <div>
          <div class="section-head">
            <h2 class="tally">{tallyOf(list, "project")}</h2>
            {list.total > 1 && <Orders query={{ sort }} action={url.pathname} orders={SORTS} />}
          </div>
          {list.items.length > 0
            ? (
              <ListingList
                listings={list.items}
                start={list.offset + 1}
                label={head.title}
                shelf={props.prefill.category}
                now={head.deps.clock.now()}
              />
            )
            : list.total > 0
            ? <PastTheEnd url={url} />
            : (
              <EmptyState title="No projects here yet">
                <p>
                  <a href={withQuery(paths.submit, props.prefill)}>Submit one</a> or{" "}
                  <a href={paths.projects}>browse the others</a>.
                </p>
              </EmptyState>
            )}
          <Pager url={url} list={list} />
        </div>
        <aside class="side" aria-label="More lists">
          <Follow feeds={props.feeds} />
          <CategoryList deps={head.deps} />
          <PopularTags deps={head.deps} />
        </aside>
      </div>
    </main>
  );
}
