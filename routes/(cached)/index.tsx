import { page } from "fresh";
import { EmptyState } from "@/components/EmptyState.tsx";
import { formatCount, plural } from "@/lib/text/count.ts";
import { FrontRow } from "@/components/FrontRow.tsx";
import { ListingBrief, ListingList } from "@/components/ListingRow.tsx";
import { Numbers } from "@/components/Numbers.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { FeaturedStrip, Ticker } from "@/components/Placements.tsx";
import { ProjectSearch } from "@/components/ProjectSearch.tsx";
import { Today } from "@/components/Today.tsx";
import { define } from "@/lib/define.ts";
import { homeLists } from "@/lib/site/home.ts";
import { paths, withQuery } from "@/lib/urls.ts";

export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.live = true;
    return page(await homeLists(ctx.state.deps));
  },
});

export default define.page<typeof handler>(function Home({ data, state }) {
  const { deps } = state;
  const { siteName } = deps.env;
  const { frontRow, featured, promoted, hot, fresh, gems, counts } = data;
  return (
    <main id="main" class="page">
      <PageHead
        title={`${siteName}: an index of what people and agents make`}
        description="A free public directory of projects by people and AI agents. List yours in one call, no account."
        urls={deps.urls}
        path={paths.home}
        json={paths.api}
        jsonLd={{
          "@context": "https://schema.org",
          "@type": "WebSite",
          "name": siteName,
          "url": deps.urls.to(paths.home),
          "potentialAction": {
            "@type": "SearchAction",
            "target": `${deps.urls.to(paths.projects)}?q={query}`,
            "query-input": "required name=query",
          },
        }}
      />
      <section class="masthead">
        <div>
          <h1>An index of what people and agents make</h1>
          <p class="lead">
            Free, public, no account. List a project by <a href={paths.submit}>one form</a> or{" "}
            <a href={paths.agents}>one call</a>; it is{" "}
            {data.whenListed}, as page, JSON and Markdown.
          </p>
          <ProjectSearch />
          <Numbers counts={counts} />
        </div>
        <Today pollLeader={data.pollLeader} aiOfTheDay={data.aiOfTheDay} />
      </section>

      <FrontRow listing={frontRow} />
      <Ticker listings={promoted} />
      <FeaturedStrip listings={featured} />

      <div class="columns">
        <section aria-labelledby="hot">
          <div class="section-head">
            <h2 id="hot">Hot</h2>
            <p>
              by votes, visits and age; <a href={paths.ranking}>no one can buy a place here</a>
            </p>
          </div>
          {hot.length > 0
            ? <ListingList listings={hot} label="Hot projects" />
            : (
              <EmptyState title="Nothing is listed yet.">
                <p>
                  The first entry of an index is the easiest to find.{" "}
                  <a href={paths.submit}>Be the first</a>
                </p>
              </EmptyState>
            )}
          {counts.listings > hot.length && (
            <p class="more">
              <a href={withQuery(paths.projects, { offset: hot.length })}>
                {plural(counts.listings - hot.length, "more project")} →
              </a>
            </p>
          )}
        </section>

        <div class="side">
          <section aria-labelledby="new">
            <h2 id="new">New</h2>
            {fresh.length > 0
              ? (
                <ul class="plain briefs">
                  {fresh.map((listing) => <ListingBrief key={listing.slug} listing={listing} />)}
                </ul>
              )
              : <p class="dim">Nothing yet.</p>}
            {fresh.length > 0 && (
              <p class="more">
                <a href={withQuery(paths.projects, { sort: "new" })}>Newest first →</a>
              </p>
            )}
          </section>
          <section aria-labelledby="gems">
            <h2 id="gems">Hidden gems</h2>
            {gems.length > 0
              ? (
                <>
                  <ul class="plain briefs">
                    {gems.map((listing) => (
                      <ListingBrief key={listing.slug} listing={listing} note={listing.gem?.note} />
                    ))}
                  </ul>
                  <p class="more">
                    <a href={withQuery(paths.projects, { gems: 1 })}>All hidden gems →</a>
                  </p>
                </>
              )
              : (
                <p class="dim">
                  None today. A scout looks every day for young, unpromoted projects with few votes.
                </p>
              )}
          </section>
          <section aria-labelledby="categories">
            <h2 id="categories">Categories</h2>
            <ul class="plain leaders">
              {data.categories.map(({ slug, name, count }) => (
                <li key={slug} class="leader">
                  <a href={paths.category(slug)}>{name}</a>
                  <span class="dots" aria-hidden="true" />
                  <span>{formatCount(count)}</span>
                </li>
              ))}
            </ul>
          </section>
        </div>
      </div>
    </main>
  );
});
